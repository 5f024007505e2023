import type { Logger } from 'pino';
import { asapScheduler, observeOn } from 'rxjs';
import { editedInputError } from '../../agent/suspend/edited-input.ts';
import { sessionName } from '../../chat/own-session.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import type { InboxCall, InboxChange } from '../../hooks/asking/inbox.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { refuse } from '../http/refuse.ts';
import type { RunsInbox } from '../runs/runs.ts';
import type { TrackedRun } from '../runs/tracked-run.ts';
import { type Activity, approvalActivity } from '../screens/activity.ts';
import type { AnswerBody } from './answer-body.ts';
import type { AnswerOutcome } from './answer-outcome.ts';
import { type Answerer, mayAnswer } from './answerer-of.ts';
import type { Approval } from './approval.ts';
import type { RunPlace } from './run-place.ts';

/** Pending calls of active runs. They are approvals, like those of suspended runs. */
export interface WaitingInside {
  /** Lists the approvals, newest first. */
  list(who: Answerer): readonly Approval[];
  find(who: Answerer, id: string): Approval | undefined;
  /** The pending calls of an active run and its sub-agents. */
  callsOf(runId: string): { readonly id: string; readonly tool: string }[];
  /** Returns undefined for an unknown call. Rejects (422) an edited input that is invalid for its tool, and the call stays pending. */
  answer(who: Answerer, id: string, body: AnswerBody): Promise<AnswerOutcome | undefined>;
  stop(): void;
}

export interface InsideParts {
  readonly inbox: RunsInbox | undefined;
  /** Returns the tracked run that contains a run or sub-agent. Its user owns the approval, even if the agent uses another user name. */
  readonly holding: (runId: string) => Pick<TrackedRun, 'owner' | 'view'> | undefined;
  /** Receives new pending calls, and calls that are no longer pending, until `stop`. */
  readonly publish: (activity: Activity) => void;
  /** The known tools. Edited inputs are validated by their schemas. */
  readonly tools: readonly Tool[];
  /** The workspace of the runs of this process. */
  readonly place: RunPlace | undefined;
  readonly log: Logger | undefined;
}

export function waitingInside({ inbox, holding, publish, tools, place, log }: InsideParts): WaitingInside {
  const known = new WeakMap<InboxCall, Approval>();

  function approvalOf(call: InboxCall): Approval {
    const approval = known.get(call) ?? {
      ...approvalInside(call, holding(call.run.runId)),
      ...(!call.elsewhere && place),
    };
    known.set(call, approval);
    return approval;
  }

  function notify(change: InboxChange): void {
    const approval = approvalOf(change.call);
    if (change.type === 'waiting') {
      publish(approvalActivity(approval));
      return;
    }
    const { id, runId, user } = approval;
    const { action, by } = change.winner ?? {};
    publish({ type: 'answered', user, data: { id, runId, user, ...(action && { action, by }) } });
  }

  // Deferred, because a run may request an approval before it is registered.
  const watching = inbox?.changes$.pipe(observeOn(asapScheduler)).subscribe(notify);

  const list: WaitingInside['list'] = (who) =>
    (inbox?.list() ?? []).map(approvalOf).filter(({ user }) => mayAnswer(who, user));
  const find: WaitingInside['find'] = (who, id) => list(who).find((approval) => approval.id === id);

  return {
    list,
    find,
    callsOf: (of) =>
      (inbox?.list() ?? []).map(approvalOf).flatMap(({ runId, id, tool }) => (runId === of ? [{ id, tool }] : [])),
    stop: () => watching?.unsubscribe(),
    async answer(who, id, body) {
      const waits = find(who, id);
      const input = body.action === 'approve' ? body.input : undefined;
      const misfit = waits?.hash === body.hash && input && (await editedInputError(tools, waits, input));
      if (misfit) throw refuse(422, misfit);
      const { action, hash, reason } = body;
      // This hash matches no call. An answer by a caller without permission has no effect.
      const answer = withoutUndefined({ action, by: who.user, hash: waits ? hash : '', reason, input });
      const outcome = await inbox?.answer(id, answer);
      if (!outcome || outcome.status === 'unknown' || !mayAnswer(who, approvalOf(outcome.call).user)) return undefined;
      if (outcome.status === 'accepted') {
        const { runId } = approvalOf(outcome.call);
        const { user: by, token, address } = who;
        // The run receives the user. Only the operator of the server sees the token and the address.
        const edited = input !== undefined;
        log?.info({ approval: id, runId, action, edited, hash, by, token, address }, 'an approval was answered');
        return { status: 'continued', runId };
      }
      if (outcome.status === 'changed') return { status: 'changed', current: approvalOf(outcome.call) };
      return { status: 'answered', winner: outcome.winner };
    },
  };
}

/** Returns the approval of a call that is pending in an active run. */
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
