import type { Observable } from 'rxjs';
import { type Ask, askToo } from '../../events/decisions/ask.ts';
import { type NoteInput, noteSchema } from '../../events/decisions/note.ts';
import { readInput } from '../../events/parts/edited-call.ts';
import { sameCall } from '../../events/parts/same-call.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { PreActing } from '../../events/pre-acting.ts';
import { deepFreeze } from '../../events/values/deep-freeze.ts';
import { isAsync } from '../../events/values/is-async.ts';
import { APPROVED_WHEN_ASKED, DECLINED, type Verdict } from '../define/hook.ts';
import type { ApproveStage } from '../define/plan.ts';
import { CANCELLED } from '../flow/drive.ts';
import { inTurn, type Pending } from '../flow/in-turn.ts';
import { waitWithTimeout } from '../run/handler-timeout.ts';
import { leaseOf } from '../run/lease.ts';
import type { ActingOptions, CallAnswer } from '../run/run.ts';
import type { Lease } from '../run/run-scope.ts';
import { hookFailure, logFailure } from '../run/step-failure.ts';
import { noteEdit, type StepScope, tolerate } from '../run/step-scope.ts';
import { defaultTimeouts } from '../settings.ts';
import type { Effect } from '../trace/read-step.ts';
import { contract } from './accept.ts';

const noteInputSchema = noteSchema.omit({ by: true });

/**
 * Shows the frozen call to every approver that applies, in order, and gives the event with the strictest verdict on it: the first
 * denial ends the round, after a suspension the others may still deny or ask, too. An approver that fails has denied.
 */
export function judge(
  step: StepScope,
  event: PreActing,
  { answers = [], pending }: Pick<ActingOptions, 'answers' | 'pending'>,
): PreActing | Observable<PreActing> {
  // A no stands, whether or not its approver still asks.
  const no = answers.find(({ approved }) => !approved);
  if (no) {
    skipApprovers(step, event, DECLINED);
    const denied = decided(event, refused(no), no.by);
    step.scope.tracer?.carry(event, denied);
    return denied;
  }
  const { by = [], asks = [] } = pending ?? {};
  const missing = by.filter((name) => !answers.some(answersFor(event, name)) && !judges(step, event, name));
  const start = missing.reduce((waiting, name) => stillPending(step, waiting, name, asks), event);
  return inTurn(judgeFrom(step, start, answers, 0));
}

/** Whether an approver of that name is there to judge the call. */
function judges({ scope }: StepScope, { toolCall, permission }: PreActing, by: string): boolean {
  return scope.plan.approvers.some(
    ({ hook, applies }) => hook.name === by && applies?.(toolCall.name, permission) !== false,
  );
}

function answersFor({ toolCall }: PreActing, name: string): (answer: CallAnswer) => boolean {
  return ({ by, judged }) => by === name && sameCall(toolCall, judged);
}

/** A call whose approver is gone waits on: nobody else can say what that approver would have. */
function stillPending(step: StepScope, event: PreActing, by: string, asks: readonly Ask[]): PreActing {
  const message = `Hook "${by}" asked about this call and is not there to judge it again.`;
  const notes = [...(event.notes ?? []), { by, code: 'approver-missing', message }];
  const { prompt = message } = asks.find((ask) => ask.by === by) ?? {};
  const waiting = decided({ ...event, notes }, { verdict: 'suspended', prompt }, by);
  step.scope.tracer?.carry(event, waiting);
  return waiting;
}

function judgeFrom(
  step: StepScope,
  start: PreActing,
  answers: readonly CallAnswer[],
  from: number,
): PreActing | Pending<PreActing> {
  const { tracer, plan, settings } = step.scope;
  const stages = plan.approvers;
  let event = start;
  for (let index = from; index < stages.length; index++) {
    const stage = stages[index] as ApproveStage;
    if (stage.applies?.(event.toolCall.name, event.permission) === false) {
      tracer?.skip(event, stage.hook, 'approve', 'does not match');
      continue;
    }
    // A human must not be asked about a call that will not run.
    if (step.lifetime.cancelled) throw CANCELLED;
    const began = tracer ? settings.scheduler.now() : 0;
    const given = ask(step, event, stage);
    if ('answer' in given) return judgeLater(step, { event, answers, index, began, ...given });
    event = apply(step, event, stage, given, answers, began);
    if (isOver(step, event, index)) return event;
  }
  return event;
}

interface Judging extends Waiting {
  readonly event: PreActing;
  readonly answers: readonly CallAnswer[];
  readonly index: number;
  readonly began: number;
}

function judgeLater(step: StepScope, { event, answers, index, began, answer, lease }: Judging): Pending<PreActing> {
  const stage = step.scope.plan.approvers[index] as ApproveStage;
  const timing = { hook: stage.hook, where: 'approve', ms: defaultTimeouts.approve, lease };
  const goOnWith = (given: Given): PreActing | Pending<PreActing> => {
    const next = apply(step, event, stage, given, answers, began);
    return isOver(step, next, index) ? next : judgeFrom(step, next, answers, index + 1);
  };
  return {
    wait: (sink) => waitWithTimeout(answer, step.scope.settings, timing, sink),
    // An approver that completes without a word has not approved.
    goOn: (given, count) => goOnWith(verdictOf(step, event, stage, given, count)),
    failed: (thrown) => goOnWith(failed(step, event, stage, thrown)),
  };
}

/** Whether nobody is asked after the approver at `index`: the call is denied, or another one is to be judged. */
function isOver(step: StepScope, event: PreActing, index: number): boolean {
  const isEdited = step.edits?.at(-1)?.shown === event.toolCall;
  if (event.decision?.action !== 'deny' && !isEdited) return false;
  const why = isEdited ? 'an answer has edited the call' : `hook "${event.decision?.by}" has decided`;
  skipApprovers(step, event, why, index + 1);
  return true;
}

/** A verdict, and why it is the engine's own if the approver failed. */
type Given = Verdict & { readonly failure?: string };

/** An approver that has not answered yet; its context has gone with it. */
interface Waiting {
  readonly answer: PromiseLike<unknown> | Observable<unknown>;
  readonly lease: Lease;
}

function ask(step: StepScope, event: PreActing, stage: ApproveStage): Given | Waiting {
  const { scope } = step;
  const lease = leaseOf(scope, stage.hook, stage.index);
  try {
    const returned: unknown = stage.approve(event, lease.context);
    if (!isAsync(returned)) return checked(stage, returned);
    scope.leases[stage.index] = undefined;
    return { answer: returned, lease };
  } catch (thrown) {
    return failed(step, event, stage, thrown);
  }
}

function failed(step: StepScope, event: PreActing, { hook }: ApproveStage, thrown: unknown): Given {
  const failure = hookFailure(hook.name, 'approve', thrown);
  logFailure(step.scope.log, event.type, failure);
  tolerate(step, failure);
  const reason = failure.hook === undefined ? failure.message : `hook "${hook.name}" failed`;
  return { verdict: 'denied', reason, failure: failure.message };
}

function verdictOf(step: StepScope, event: PreActing, stage: ApproveStage, value: unknown, count: number): Given {
  try {
    if (count > 1) throw contract(stage.hook, 'preActing', 'its approver gave several verdicts; give exactly one.');
    return checked(stage, value);
  } catch (thrown) {
    return failed(step, event, stage, thrown);
  }
}

function checked(stage: ApproveStage, value: unknown): Verdict {
  const given = value as { [K in 'verdict' | 'reason' | 'prompt' | 'note' | 'input' | 'asked']?: unknown } | undefined;
  const note = given?.note === undefined ? undefined : noteInputSchema.safeParse(given.note);
  if (note?.error) throw contract(stage.hook, 'preActing', 'the note of its verdict must be { code, message, data? }.');
  const input = given?.input === undefined ? undefined : readInput(given.input);
  const noted = { ...(note && { note: note.data as NoteInput }), ...(input && { input }) };
  if (given?.input !== undefined && !input)
    throw contract(stage.hook, 'preActing', 'the input of its verdict must be a JSON object.');
  if (given?.verdict === 'approved')
    return { verdict: 'approved', ...(typeof given.reason === 'string' && { reason: given.reason }), ...noted };
  if (given?.verdict === 'denied' && typeof given.reason === 'string')
    return { verdict: 'denied', reason: given.reason, ...noted, ...(given.asked === true && { asked: true }) };
  if (given?.verdict === 'suspended' && typeof given.prompt === 'string')
    return { verdict: 'suspended', prompt: given.prompt };
  throw contract(
    stage.hook,
    'preActing',
    'its approver must give verdict.allow(), verdict.deny(reason) or verdict.suspend(prompt).',
  );
}

function apply(
  step: StepScope,
  event: PreActing,
  { hook }: ApproveStage,
  given: Given,
  answers: readonly CallAnswer[],
  began: number,
): PreActing {
  const mine = given.verdict === 'suspended' ? answers.find(({ by }) => by === hook.name) : undefined;
  const verdict = mine ? answered(event.toolCall, given, mine) : given;
  const next = edited(step, noted(event, verdict, hook.name), verdict, hook.name);
  const { tracer, settings } = step.scope;
  const effect = (): Effect => {
    if (given.failure !== undefined) return { effect: 'failed', reason: given.failure };
    if (next.decision === event.decision || !next.decision)
      return { effect: 'passed', ...(verdict.verdict === 'approved' && verdict.reason && { reason: verdict.reason }) };
    return { effect: 'decided', decision: next.decision.action, ...('asked' in verdict && { reason: DECLINED }) };
  };
  const ms = settings.scheduler.now() - began;
  tracer?.step({ hook, stage: 'approve', before: event, after: next, effect: effect(), ms });
  return next;
}

/** The event with its verdict. An approval of other arguments is none of this call: the step notes what is to be judged instead. */
function edited(step: StepScope, event: PreActing, verdict: Verdict, by: string): PreActing {
  if (verdict.verdict !== 'approved' || !verdict.input) return decided(event, verdict, by);
  const call = deepFreeze({ ...event.toolCall, input: verdict.input });
  const note = verdict.note ? (event.notes ?? []).slice(-1) : [];
  if (sameCall(call, event.toolCall) || noteEdit(step, { shown: event.toolCall, edited: call, note })) return event;
  return decided(event, { verdict: 'denied', reason: 'it was edited too many times' }, by);
}

/** An answer counts only for the approver that asked, and for the very call that was shown. */
function answered(toolCall: ToolCall, asked: Verdict, answer: CallAnswer): Verdict {
  if (!sameCall(toolCall, answer.judged)) return asked;
  return answer.approved ? { verdict: 'approved', reason: APPROVED_WHEN_ASKED } : refused(answer);
}

function refused({ reason }: CallAnswer): Verdict {
  return { verdict: 'denied', reason: reason ?? 'the user declined' };
}

function noted(event: PreActing, verdict: Verdict, by: string): PreActing {
  if (verdict.verdict === 'suspended' || !verdict.note) return event;
  return deepFreeze({ ...event, notes: [...(event.notes ?? []), { ...verdict.note, by }] });
}

function decided(event: PreActing, verdict: Verdict, by: string): PreActing {
  if (verdict.verdict === 'denied')
    return deepFreeze({ ...event, decision: { action: 'deny', reason: verdict.reason, by } });
  if (verdict.verdict !== 'suspended') return event;
  const before = event.decision?.action === 'suspend' ? event.decision : {};
  return deepFreeze({ ...event, decision: { action: 'suspend', ...askToo(before, { by, prompt: verdict.prompt }) } });
}

/** Puts on the trace, if there is one, that the approvers from place `from` on are not asked. */
export function skipApprovers(step: StepScope, event: PreActing, reason: string, from = 0): void {
  const { tracer, plan } = step.scope;
  if (!tracer) return;
  for (const { hook } of plan.approvers.slice(from)) tracer.skip(event, hook, 'approve', reason);
}
