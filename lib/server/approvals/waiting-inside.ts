import type { Logger } from 'pino';
import { sessionName } from '../../chat/own-session.ts';
import type { Inbox, InboxCall } from '../../hooks/asking/inbox.ts';
import { refuse } from '../http/refuse.ts';
import { type Activity, approvalActivity } from '../screens/activity.ts';
import type { AnswerBody } from './answer-body.ts';
import { type Answerer, mayAnswer } from './answerer-of.ts';
import type { AnswerOutcome } from './answering.ts';
import type { Approval } from './approval.ts';

/** The calls that wait inside runs that go on, as approvals beside those of suspended runs. */
export interface WaitingInside {
  /** The newest first. */
  list(who: Answerer): readonly Approval[];
  find(who: Answerer, id: string): Approval | undefined;
  /** Undefined where there is no such call. Other arguments are refused (409): the run waits with that very call. */
  answer(who: Answerer, id: string, body: AnswerBody): AnswerOutcome | undefined;
  stop(): void;
}

/** `tell` is told of calls that begin to wait, and of those that wait no more, until `stop`. */
export function waitingInside(
  inbox: Pick<Inbox, 'list' | 'answer' | 'changes$'> | undefined,
  tell: (activity: Activity) => void,
  log?: Logger,
): WaitingInside {
  const watching = inbox?.changes$.subscribe((change) => {
    const approval = approvalInside(change.call);
    if (change.type === 'waiting') return tell(approvalActivity(approval));
    const { id, runId, user } = approval;
    const { action, by } = change.winner ?? {};
    tell({ type: 'answered', user, data: { id, runId, user, ...(action && { action, by }) } });
  });

  const list: WaitingInside['list'] = (who) =>
    (inbox?.list() ?? []).map(approvalInside).filter(({ user }) => mayAnswer(who, user));
  const find: WaitingInside['find'] = (who, id) => list(who).find((approval) => approval.id === id);

  return {
    list,
    find,
    stop: () => watching?.unsubscribe(),
    answer(who, id, body) {
      const waits = find(who, id) !== undefined;
      if (waits && body.action === 'approve' && body.input !== undefined)
        throw refuse(409, 'The run waits with this very call. Approve it as it is, or deny it with a reason.');
      const { action, hash, reason } = body;
      // The hash of no call: whoever may not answer it settles nothing.
      const answer = { action, by: who.user, hash: waits ? hash : '', ...(reason !== undefined && { reason }) };
      const outcome = inbox?.answer(id, answer);
      if (!outcome || outcome.status === 'unknown' || !mayAnswer(who, outcome.call.run.userId ?? '')) return undefined;
      if (outcome.status === 'accepted') {
        const { runId } = outcome.call.run;
        const { user: by, token, address } = who;
        // The run tells who it was; by which token and from where is for whoever runs the server.
        log?.info({ approval: id, runId, action, hash, by, token, address }, 'an approval was answered');
        return { status: 'continued', runId };
      }
      if (outcome.status === 'changed') return { status: 'changed', current: approvalInside(outcome.call) };
      return { status: 'answered', winner: outcome.winner };
    },
  };
}

/** A call that waits inside a run, as it is shown. */
function approvalInside({ id, run, toolCallId, tool, input, prompt, by, hash, ...call }: InboxCall): Approval {
  const user = run.userId ?? '';
  return {
    id,
    runId: run.runId,
    user,
    sessionId: sessionName(user, run.sessionId),
    agent: run.agent,
    toolCallId,
    tool,
    input,
    prompt,
    by,
    hash,
    suspendedAt: call.askedAt,
    expiresAt: call.expiresAt,
    inside: true,
  };
}
