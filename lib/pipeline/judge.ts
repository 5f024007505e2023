import { catchError, defaultIfEmpty, isObservable, map, type Observable, of, take } from 'rxjs';
import { deepFreeze } from '../events/deep-freeze.ts';
import type { EventOf } from '../events/hook-event.ts';
import type { ToolCall } from '../events/tool-call.ts';
import { contract } from './accept.ts';
import { inTurn, type Pending } from './in-turn.ts';
import { isLater, toBounded } from './later.ts';
import { logFailure } from './log-failure.ts';
import type { ApproveStage } from './plan.ts';
import type { CallAnswer } from './run.ts';
import { leaseOf } from './run-scope.ts';
import { sameCall } from './same-call.ts';
import { defaultTimeouts } from './settings.ts';
import { skipApprovers } from './skip-approvers.ts';
import { hookFailure } from './step-failure.ts';
import type { StepScope } from './step-scope.ts';
import type { TraceStep } from './trace.ts';
import type { Verdict } from './verdict.ts';

type PreActing = EventOf<'preActing'>;

/**
 * Shows the frozen call to every approver that applies, in order, and gives the event with the strictest verdict on it: the first
 * denial ends the round, a suspension lets the others still deny. An approver that fails has denied.
 */
export function judge(
  step: StepScope,
  event: PreActing,
  answers: readonly CallAnswer[],
): PreActing | Observable<PreActing> {
  // A no stands, whether or not its approver still asks.
  const no = answers.find(({ approved }) => !approved);
  if (no) {
    const denied = decided(event, refused(no), no.by);
    skipApprovers(step, denied, 'the call was declined');
    return denied;
  }
  return inTurn(judgeFrom(step, event, answers, 0));
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
    const began = tracer ? settings.scheduler.now() : 0;
    const given = ask(step, event, stage);
    if (isObservable(given)) return judgeLater(step, event, answers, index, given, began);
    event = apply(step, event, stage, given, answers, began);
    if (event.decision?.action === 'deny') return denial(step, event, index);
  }
  return event;
}

function judgeLater(
  step: StepScope,
  event: PreActing,
  answers: readonly CallAnswer[],
  index: number,
  given$: Observable<Given>,
  began: number,
): Pending<PreActing> {
  return {
    pending$: given$,
    goOn(given) {
      const stage = step.scope.plan.approvers[index] as ApproveStage;
      const next = apply(step, event, stage, given as Given, answers, began);
      return next.decision?.action === 'deny' ? denial(step, next, index) : judgeFrom(step, next, answers, index + 1);
    },
  };
}

/** Nobody is asked any more after the approver at `index`. */
function denial(step: StepScope, event: PreActing, index: number): PreActing {
  skipApprovers(step, event, `hook "${event.decision?.by}" has decided`, index + 1);
  return event;
}

/** A verdict, and why it is the engine's own if the approver failed. */
type Given = Verdict & { readonly failure?: string };

function ask(step: StepScope, event: PreActing, stage: ApproveStage): Given | Observable<Given> {
  const { scope } = step;
  const { hook } = stage;
  const lease = leaseOf(scope, hook, stage.index);
  const failed = (thrown: unknown): Given => {
    const failure = hookFailure(hook.name, 'approve', thrown);
    logFailure(scope.log, event.type, failure);
    step.tolerated.push(failure);
    return { verdict: 'denied', reason: `hook "${hook.name}" failed`, failure: failure.message };
  };
  try {
    const returned: unknown = stage.approve(event, lease.context);
    if (!isLater(returned)) return checked(stage, returned);
    scope.leases[stage.index] = undefined;
    const timing = { hook, where: 'approve', ms: defaultTimeouts.approve, lease };
    return toBounded(returned, scope.settings, timing).pipe(
      take(1),
      // An approver that completes without a word has not approved.
      defaultIfEmpty(undefined),
      map((value) => checked(stage, value)),
      catchError((thrown: unknown) => of(failed(thrown))),
    );
  } catch (thrown) {
    return failed(thrown);
  }
}

function checked(stage: ApproveStage, value: unknown): Verdict {
  const given = value as { verdict?: unknown; reason?: unknown; prompt?: unknown } | null | undefined;
  if (given?.verdict === 'approved') return { verdict: 'approved' };
  if (given?.verdict === 'denied' && typeof given.reason === 'string')
    return { verdict: 'denied', reason: given.reason };
  if (given?.verdict === 'suspended' && typeof given.prompt === 'string')
    return { verdict: 'suspended', prompt: given.prompt };
  throw contract(stage.hook, 'preActing', 'its approver must give approved(), denied(reason) or suspended(prompt).');
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
  const next = decided(event, verdict, hook.name);
  const { tracer, settings } = step.scope;
  const effect = (): Pick<TraceStep, 'effect' | 'decision' | 'reason'> => {
    if (given.failure !== undefined) return { effect: 'failed', reason: given.failure };
    if (next === event || !next.decision) return { effect: 'passed' };
    return { effect: 'decided', decision: next.decision.action };
  };
  tracer?.step(event, next, {
    hook: hook.name,
    priority: hook.priority,
    stage: 'approve',
    ...effect(),
    ms: settings.scheduler.now() - began,
  });
  return next;
}

/** An answer counts only for the approver that asked, and for the very call that was shown. */
function answered(toolCall: ToolCall, asked: Verdict, answer: CallAnswer): Verdict {
  if (!sameCall(toolCall, answer.judged)) return asked;
  return answer.approved ? { verdict: 'approved' } : refused(answer);
}

function refused({ reason }: CallAnswer): Verdict {
  return { verdict: 'denied', reason: reason ?? 'the user declined' };
}

function decided(event: PreActing, verdict: Verdict, by: string): PreActing {
  if (verdict.verdict === 'denied')
    return deepFreeze({ ...event, decision: { action: 'deny', reason: verdict.reason, by } });
  if (verdict.verdict !== 'suspended' || event.decision?.action === 'suspend') return event;
  return deepFreeze({ ...event, decision: { action: 'suspend', prompt: verdict.prompt, by } });
}
