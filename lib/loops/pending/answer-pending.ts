import { approversInForce } from '../../agent/suspend/missing-approvers.ts';
import { answeredCall, suspendedCall } from '../../agent/suspend/suspended-call.ts';
import type { EventOf } from '../../events/hook-event.ts';
import { sameCall } from '../../events/parts/same-call.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import { isObject } from '../../events/values/is-object.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { CallAnswer, PendingApprovers, Run } from '../../pipeline/run/run.ts';
import type { HostAnswer } from '../loop-run.ts';
import { type PendingCallRecord, toPendingCallRecord } from './pending-call-record.ts';
import { type PendingCallScope, type PendingCallStore, useTaken } from './pending-call-store.ts';

/** The context of an evaluation: its start, the call that the answer is for, the answers, and the earlier approvers. */
export interface JudgedWith {
  readonly start: ToolCall;
  readonly shown: ToolCall;
  readonly answers: readonly CallAnswer[];
  readonly pending?: PendingApprovers;
  /** The approvers in force when the call was suspended before, by name. */
  readonly approvers?: readonly string[];
  /** The number of earlier answers. */
  readonly asked: number;
}

/**
 * Returns the part of an answer that counts. With a store, a pending call counts once, and only if it was taken out for this answer. An answer to an
 * earlier prompt does not count for a later call with the same id. Anything but a valid approval denies the call.
 */
export async function countingAnswer(
  scope: PendingCallScope & { readonly pendingCalls?: PendingCallStore },
  call: ToolCall,
  given: HostAnswer | undefined,
): Promise<HostAnswer | undefined> {
  const answer = given && (isYes(given) ? given : no(given));
  if (!answer || !scope.pendingCalls) return answer;
  const first = answer.approved && (scope.pendingCalls.admit?.(scope, call.id) ?? false);
  const { pending: shown, ...unkept } = answer;
  const pending = shown && useTaken(shown) ? shown : await scope.pendingCalls.take(scope, call.id);
  if (pending && shown && sameQuestion(pending, shown)) return { ...unkept, pending };
  if (!answer.approved) return unkept;
  // The current prompt is still unanswered.
  if (pending && shown) await scope.pendingCalls.keep(scope, pending);
  const known = !shown || (!pending && shown.call?.toolCall !== undefined && sameCall(shown.call.toolCall, call));
  return first && known ? unkept : undefined;
}

function sameQuestion({ expiresAt: _, ...a }: PendingCallRecord, { expiresAt: __, ...b }: PendingCallRecord): boolean {
  return canonicalJson(a as unknown as JsonObject) === canonicalJson(b as unknown as JsonObject);
}

/** The approval of an edited call contains the input to run. */
function isYes({ approved, input }: HostAnswer): boolean {
  return approved === true && (input === undefined || isObject(input));
}

function no({ reason = 'the call was not approved', pending }: HostAnswer): HostAnswer {
  return { approved: false, reason, ...(pending && { pending }) };
}

/**
 * Returns a call with its answer and the data from the run that suspended it. Without the pending call, only a denial counts at once, because the
 * approver that asked is unknown.
 */
export function withAnswer(
  call: ToolCall,
  answer: HostAnswer | undefined,
  resumes: PendingCallRecord | undefined,
): JudgedWith {
  const record = answer?.pending ?? (resumes?.call.key === call.id ? resumes : undefined);
  const before = answeredCall(record?.call ?? {});
  const pending = record && { approvers: record.approvers ?? [], pending: before.pending };
  if (!answer) {
    const start = record?.call.edited ?? call;
    return { start, shown: start, answers: before.answers, ...pending, asked: record?.asked ?? 0 };
  }
  const { approved, reason, input } = answer;
  const judged = record?.call.judged ?? call;
  const shown = input ? { ...judged, input } : judged;
  const start = input ? { ...shown, id: call.id } : (record?.call.edited ?? call);
  const given = { approved, ...(reason !== undefined && { reason }), judged: shown };
  // Without the pending call, the approvers that asked are unknown.
  const unknown = approved ? before.answers : [{ ...given, by: 'user' }, ...before.answers];
  const answers = answer.pending ? answeredCall(answer.pending.call, given).answers : unknown;
  return { start, shown, answers, ...pending, asked: (record?.asked ?? 0) + 1 };
}

/**
 * Returns the context for the next evaluation of a suspended call. Without a stored call, an approval is for the call as it was shown. It counts for
 * the approvers that suspend exactly that call. `unasked` states why the host cannot ask, which denies the call.
 */
export function judgedAgain(
  event: EventOf<'preActing'> | undefined,
  given: JudgedWith,
  answer: HostAnswer | undefined,
  unasked: string | undefined,
): JudgedWith | undefined {
  if (event?.decision?.action !== 'suspend') return undefined;
  const { by = '', prompt } = event.decision;
  const unkept = answer?.approved && answer.pending === undefined && sameCall(event.toolCall, given.shown);
  const approval = { approved: true, judged: given.shown };
  if (unkept) return { ...given, answers: answeredCall(suspendedCall(event, given.answers), approval).answers };
  if (unasked === undefined) return undefined;
  return { ...given, answers: [{ approved: false, reason: `${unasked}: ${prompt}`, by, judged: given.shown }] };
}

/** Returns the record to store for a suspended call, or `undefined` for one that waits for a sub-agent. */
export function toKeep(
  run: Run,
  call: ToolCall,
  event: EventOf<'preActing'> | undefined,
  { start, answers, asked, approvers }: JudgedWith,
): PendingCallRecord | undefined {
  if (event?.decision?.action !== 'suspend') return undefined;
  return toPendingCallRecord({
    run: run.info,
    call: {
      key: call.id,
      toolCall: call,
      judged: event.toolCall,
      ...suspendedCall(event, answers),
      ...(start !== call && { edited: start }),
    },
    state: run.state(),
    iteration: run.iteration,
    approvers: approversInForce(run, approvers),
    ...(asked > 0 && { asked }),
  });
}
