import { approversInForce } from '../../agent/suspend/missing-approvers.ts';
import type { EventOf } from '../../events/hook-event.ts';
import { sameCall } from '../../events/parts/same-call.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { CallAnswer, PendingApprovers, Run } from '../../pipeline/run/run.ts';
import type { HostAnswer } from '../loop-run.ts';
import { type HeldCall, toHeldCall } from './held-call.ts';
import { type HeldCalls, type HeldScope, useTaken } from './held-calls.ts';

/** What a call is judged with: where it starts, the call that its answer is for, the answers, and who has asked about it before. */
export interface JudgedWith {
  readonly start: ToolCall;
  readonly shown: ToolCall;
  readonly answers: readonly CallAnswer[];
  readonly pending?: PendingApprovers;
  /** The approvers in force when the call was suspended before, by name. */
  readonly approvers?: readonly string[];
  /** How many answers there have been. */
  readonly asked: number;
}

/**
 * The answer, as far as it counts. Where calls are kept, a held call counts only if it was taken out for this answer, and once: an answer to an
 * earlier question about a call of that id says nothing of a later one. Anything but a well-formed yes is a no.
 */
export async function countingAnswer(
  scope: HeldScope & { readonly held?: HeldCalls },
  call: ToolCall,
  given: HostAnswer | undefined,
): Promise<HostAnswer | undefined> {
  const answer = given && (isYes(given) ? given : no(given));
  if (!answer || !scope.held) return answer;
  const first = answer.approved && (scope.held.admit?.(scope, call.id) ?? false);
  const { held: shown, ...unkept } = answer;
  const held = shown && useTaken(shown) ? shown : await scope.held.take(scope, call.id);
  if (held && shown && sameQuestion(held, shown)) return { ...unkept, held };
  if (!answer.approved) return unkept;
  // The question that waits now is still to be answered.
  if (held && shown) await scope.held.keep(scope, held);
  const known = !shown || (!held && shown.call?.toolCall !== undefined && sameCall(shown.call.toolCall, call));
  return first && known ? unkept : undefined;
}

function sameQuestion({ expiresAt: _, ...a }: HeldCall, { expiresAt: __, ...b }: HeldCall): boolean {
  return canonicalJson(a as unknown as JsonObject) === canonicalJson(b as unknown as JsonObject);
}

/** A yes to an edited call says what to run instead. */
function isYes({ approved, input }: HostAnswer): boolean {
  return (
    approved === true && (input === undefined || (typeof input === 'object' && input !== null && !Array.isArray(input)))
  );
}

function no({ reason = 'nobody said yes', held }: HostAnswer): HostAnswer {
  return { approved: false, reason, ...(held && { held }) };
}

/**
 * A call with what somebody said to it, and with what is known of it from the run that it was suspended in. Without the held call, only a no counts at
 * once: nobody has kept whose question a yes is for.
 */
export function withAnswer(call: ToolCall, answer: HostAnswer | undefined, resumes: HeldCall | undefined): JudgedWith {
  const held = answer?.held ?? (resumes?.call.key === call.id ? resumes : undefined);
  const { granted = [], by: asking, prompt } = held?.call ?? {};
  const earlier = granted.map((one) => ({ ...one, approved: true }));
  const pending = held && {
    approvers: held.approvers ?? [],
    pending: { by: [...granted.map(({ by }) => by), asking ?? 'approver'], ...(prompt !== undefined && { prompt }) },
  };
  if (!answer) {
    const start = held?.call.edited ?? call;
    return { start, shown: start, answers: earlier, ...pending, asked: held?.asked ?? 0 };
  }
  const { approved, reason, input } = answer;
  const judged = held?.call.judged ?? call;
  const shown = input ? { ...judged, input } : judged;
  const start = input ? { ...shown, id: call.id } : (held?.call.edited ?? call);
  const by = answer.held ? (asking ?? 'approver') : approved ? undefined : 'user';
  const given = { approved, ...(reason !== undefined && { reason }), judged: shown };
  const others = earlier.filter((one) => one.by !== by);
  const answers = by === undefined ? others : [{ ...given, by }, ...others];
  return { start, shown, answers, ...pending, asked: (held?.asked ?? 0) + 1 };
}

/**
 * With what a suspended call is judged once more. A yes that nobody has kept a call for is to the call as it was shown, and counts for the first who
 * asks about that very call. `unasked` says why the host can ask nobody: then it is a no.
 */
export function judgedAgain(
  event: EventOf<'preActing'> | undefined,
  given: JudgedWith,
  answer: HostAnswer | undefined,
  unasked: string | undefined,
): JudgedWith | undefined {
  if (event?.decision?.action !== 'suspend') return undefined;
  const { by = '', prompt } = event.decision;
  const unkept = answer?.approved && answer.held === undefined && sameCall(event.toolCall, given.shown);
  const others = given.answers.filter((one) => one.by !== by);
  if (unkept) return { ...given, answers: [{ approved: true, by, judged: given.shown }, ...others] };
  if (unasked === undefined) return undefined;
  return { ...given, answers: [{ approved: false, reason: `${unasked}: ${prompt}`, by, judged: given.shown }] };
}

/** A suspended call as it is kept until it is answered; nothing for one that waits for a sub-agent. */
export function toKeep(
  run: Run,
  call: ToolCall,
  event: EventOf<'preActing'> | undefined,
  { start, answers, asked, approvers }: JudgedWith,
): HeldCall | undefined {
  if (event?.decision?.action !== 'suspend') return undefined;
  const { prompt, by } = event.decision;
  const granted = answers.filter(({ approved }) => approved).map(({ by, judged }) => ({ by, judged }));
  return toHeldCall({
    run: run.info,
    call: {
      key: call.id,
      toolCall: call,
      judged: event.toolCall,
      prompt,
      ...(by !== undefined && { by }),
      ...(start !== call && { edited: start }),
      ...(granted.length > 0 && { granted }),
    },
    state: run.state(),
    iteration: run.iteration,
    approvers: approversInForce(run, approvers),
    ...(asked > 0 && { asked }),
  });
}
