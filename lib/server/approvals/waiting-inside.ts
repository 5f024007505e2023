import type { Logger } from 'pino';
import { asapScheduler, observeOn } from 'rxjs';
import { sessionName } from '../../chat/own-session.ts';
import type { Inbox, InboxCall, InboxChange } from '../../hooks/asking/inbox.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import type { TrackedRun } from '../runs/tracked-run.ts';
import { type Activity, approvalActivity } from '../screens/activity.ts';
import type { AnswerBody } from './answer-body.ts';
import type { AnswerOutcome } from './answer-outcome.ts';
import { type Answerer, mayAnswer } from './answerer-of.ts';
import type { Approval } from './approval.ts';
import { checkEdited } from './edited-input.ts';
import type { RunPlace } from './run-place.ts';

/** The calls that wait inside runs that go on, as approvals beside those of suspended runs. */
export interface WaitingInside {
  /** The newest first. */
  list(who: Answerer): readonly Approval[];
  find(who: Answerer, id: string): Approval | undefined;
  /** Undefined where there is no such call. An edited input that its tool does not take is refused (422), and the call still waits. */
  answer(who: Answerer, id: string, body: AnswerBody): Promise<AnswerOutcome | undefined>;
  stop(): void;
}

export interface InsideParts {
  readonly inbox: Pick<Inbox, 'list' | 'answer' | 'changes$'> | undefined;
  /** The run that is shown, of one that may be a sub-agent's: its user owns the approval, whatever the agent calls him. */
  readonly holding: (runId: string) => Pick<TrackedRun, 'owner' | 'view'> | undefined;
  /** Told of calls that begin to wait, and of those that wait no more, until `stop`. */
  readonly tell: (activity: Activity) => void;
  /** As far as they are known: edited inputs are checked by their schemas. */
  readonly tools: readonly Tool[];
  /** Where the runs of this process work. */
  readonly place: RunPlace | undefined;
  readonly log: Logger | undefined;
}

export function waitingInside({ inbox, holding, tell, tools, place, log }: InsideParts): WaitingInside {
  const known = new WeakMap<InboxCall, Approval>();

  function approvalOf(call: InboxCall): Approval {
    const approval = known.get(call) ?? { ...approvalInside(call, holding(call.run.runId)), ...place };
    known.set(call, approval);
    return approval;
  }

  function tellOf(change: InboxChange): void {
    const approval = approvalOf(change.call);
    if (change.type === 'waiting') {
      tell(approvalActivity(approval));
      return;
    }
    const { id, runId, user } = approval;
    const { action, by } = change.winner ?? {};
    tell({ type: 'answered', user, data: { id, runId, user, ...(action && { action, by }) } });
  }

  // A run that asks as soon as it begins is known when it has been started.
  const watching = inbox?.changes$.pipe(observeOn(asapScheduler)).subscribe(tellOf);

  const list: WaitingInside['list'] = (who) =>
    (inbox?.list() ?? []).map(approvalOf).filter(({ user }) => mayAnswer(who, user));
  const find: WaitingInside['find'] = (who, id) => list(who).find((approval) => approval.id === id);

  return {
    list,
    find,
    stop: () => watching?.unsubscribe(),
    async answer(who, id, body) {
      const waits = find(who, id);
      const input = body.action === 'approve' ? body.input : undefined;
      if (waits?.hash === body.hash && input) await checkEdited(tools, waits, input);
      const { action, hash, reason } = body;
      // The hash of no call: whoever may not answer it settles nothing.
      const answer = {
        action,
        by: who.user,
        hash: waits ? hash : '',
        ...(reason !== undefined && { reason }),
        ...(input && { input }),
      };
      const outcome = inbox?.answer(id, answer);
      if (!outcome || outcome.status === 'unknown' || !mayAnswer(who, approvalOf(outcome.call).user)) return undefined;
      if (outcome.status === 'accepted') {
        const { runId } = approvalOf(outcome.call);
        const { user: by, token, address } = who;
        // The run tells who it was; by which token and from where is for whoever runs the server.
        const edited = input !== undefined;
        log?.info({ approval: id, runId, action, edited, hash, by, token, address }, 'an approval was answered');
        return { status: 'continued', runId };
      }
      if (outcome.status === 'changed') return { status: 'changed', current: approvalOf(outcome.call) };
      return { status: 'answered', winner: outcome.winner };
    },
  };
}

/** A call that waits inside a run, as it is shown. */
function approvalInside(
  { id, run, toolCallId, tool, input, prompt, by, hash, ...call }: InboxCall,
  held: ReturnType<InsideParts['holding']>,
): Approval {
  const user = held?.owner.user ?? run.userId ?? '';
  return {
    id,
    runId: held?.view?.runId ?? run.runId,
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
