import type { Observable, Subscriber } from 'rxjs';
import { decisions } from '../../events/decisions/decisions-taken.ts';
import type { EventOf, GateEvent } from '../../events/hook-event.ts';
import { isAsync } from '../../events/values/is-async.ts';
import type { OnStage } from '../define/plan.ts';
import { CANCELLED } from '../flow/drive.ts';
import { inTurn, type Pending } from '../flow/in-turn.ts';
import { waitWithTimeout } from '../run/handler-timeout.ts';
import { leaseOf } from '../run/lease.ts';
import type { Lease } from '../run/run-scope.ts';
import { hookFailure, logFailure, type StepFailure } from '../run/step-failure.ts';
import { type StepScope, tolerate } from '../run/step-scope.ts';
import { defaultTimeouts } from '../settings.ts';
import type { Effect } from '../trace/read-step.ts';
import { accept, assertNothingForgotten, contract } from './accept.ts';

// A local name for speed: the loop below reads it twice per handler, and an import is a property of a module object.
const helpers = decisions;

/** Lets the acting phase replace the event after a rewritten call, before the next handler receives it. */
export type AfterRewrite = (event: EventOf<'preActing'>) => EventOf<'preActing'>;

/**
 * Sends an event through its handlers, in order. Returns the final event, synchronously if every handler is synchronous. If a handler fails with
 * `onFailure: 'skip'`, it is skipped and added to `step.tolerated`. With 'block', the failure denies a preActing, is logged on postCall and
 * error, and throws a `StepFailure` on any other event. Throws `CANCELLED` if the step is cancelled before the last handler.
 */
export function passGate<E extends GateEvent>(
  step: StepScope,
  event: E,
  afterRewrite?: AfterRewrite,
): E | Observable<E> {
  const stages = step.scope.plan.gates[event.type];
  return stages.length === 0 ? event : inTurn(passFrom(step, event, stages, 0, afterRewrite));
}

function passFrom<E extends GateEvent>(
  step: StepScope,
  start: E,
  stages: readonly OnStage[],
  from: number,
  afterRewrite: AfterRewrite | undefined,
): E | Pending<E> {
  const { scope } = step;
  const { leases, tracer } = scope;
  const vault = start.type === 'preActing' ? step.vault : undefined;
  let event = start;
  for (let index = from; index < stages.length; index++) {
    const stage = stages[index] as OnStage;
    if (stage.applies !== undefined && !applies(step, stage, event)) continue;
    if (step.lifetime.cancelled) {
      // After a cancel, no handler is called, and an event that was not judged does not settle. A failure is still reported.
      if (event.type === 'error') return event;
      throw CANCELLED;
    }
    const lease = leases[stage.index] ?? leaseOf(scope, stage.hook, stage.index);
    if (vault !== undefined) lease.vault = vault;
    const began = tracer ? scope.settings.scheduler.now() : 0;
    const before = event;
    const { taken } = helpers;
    try {
      const returned = stage.handle(event as never, lease.context);
      // A hook may seal only while it handles a call. An asynchronous handler keeps the context, and the vault with it.
      if (vault !== undefined && !isAsync(returned)) lease.vault = undefined;
      if (returned === undefined || returned === event) {
        if (helpers.taken !== taken) assertNothingForgotten(stage.hook, event, event);
        if (tracer === undefined) continue;
      } else if (isAsync(returned)) {
        return new Answering(step, { event, stages, index, returned, lease, began, afterRewrite });
      } else {
        event = follow(acceptPlaced(step, stage, event, returned), before, afterRewrite);
      }
      if (tracer) trace(step, stage, before, event, began);
    } catch (thrown) {
      lease.vault = undefined;
      event = onFailure(step, stage, event, thrown, began);
    }
    if (event !== before && ends(event)) return skipRest(step, event, stages, index + 1);
  }
  return event;
}

/** A round that waits for a handler. */
interface Place<E> {
  readonly event: E;
  readonly stages: readonly OnStage[];
  readonly index: number;
  readonly returned: PromiseLike<unknown> | Observable<unknown>;
  readonly lease: Lease;
  readonly began: number;
  readonly afterRewrite: AfterRewrite | undefined;
}

/** The rest of the round after an asynchronous handler. A class to save memory, outside the loop, where a closure would slow each turn. */
class Answering<E extends GateEvent> implements Pending<E> {
  readonly #step: StepScope;
  readonly #place: Place<E>;

  constructor(step: StepScope, place: Place<E>) {
    this.#step = step;
    this.#place = place;
    // The handler keeps its context; the next one gets a new one.
    step.scope.leases[this.stage.index] = undefined;
  }

  private get stage(): OnStage {
    return this.#place.stages[this.#place.index] as OnStage;
  }

  wait(sink: Subscriber<unknown>): void {
    const { event, returned, lease } = this.#place;
    const timing = { hook: this.stage.hook, where: `on.${event.type}`, ms: defaultTimeouts.on, lease };
    waitWithTimeout(returned, this.#step.scope.settings, timing, sink);
  }

  /** Accepts exactly one event. None from an Observable means unchanged. */
  goOn(answer: unknown, count: number): E | Pending<E> {
    const { event, began, afterRewrite } = this.#place;
    const step = this.#step;
    const stage = this.stage;
    const issue = 'its Observable gave more than one event; a gate takes exactly one.';
    if (count > 1) return this.failed(contract(stage.hook, event.type, issue));
    let next: E;
    try {
      next = follow(acceptPlaced(step, stage, event, answer), event, afterRewrite);
      if (step.scope.tracer) trace(step, stage, event, next, began);
    } catch (thrown) {
      return this.failed(thrown);
    }
    return this.goOnWith(next);
  }

  failed(thrown: unknown): E | Pending<E> {
    return this.goOnWith(onFailure(this.#step, this.stage, this.#place.event, thrown, this.#place.began));
  }

  private goOnWith(next: E): E | Pending<E> {
    const { stages, index, afterRewrite } = this.#place;
    if (ends(next)) return skipRest(this.#step, next, stages, index + 1);
    return passFrom(this.#step, next, stages, index + 1, afterRewrite);
  }
}

function follow<E extends GateEvent>(event: E, before: E, afterRewrite: AfterRewrite | undefined): E {
  if (!afterRewrite || event.type !== 'preActing' || event.toolCall === (before as EventOf<'preActing'>).toolCall)
    return event;
  return afterRewrite(event) as typeof event;
}

function acceptPlaced<E extends GateEvent>(step: StepScope, stage: OnStage, event: E, returned: unknown): E {
  const accepted = accept(stage.hook, event, returned);
  if (step.vault?.used) step.vault.placed(stage.hook.name, (accepted as unknown as EventOf<'preActing'>).toolCall);
  return accepted;
}

function onFailure<E extends GateEvent>(step: StepScope, stage: OnStage, event: E, thrown: unknown, began: number): E {
  const failure = hookFailure(stage.hook.name, `on.${event.type}`, thrown);
  logFailure(step.scope.log, event.type, failure);
  const next = withoutHook(step, stage, event, failure);
  if (step.scope.tracer)
    trace(step, stage, event, next ?? failure, began, { effect: 'failed', reason: failure.message });
  if (next === undefined) throw failure;
  return next;
}

/** Returns the event to continue with after a hook failed on it, or undefined if the step must fail. */
function withoutHook<E extends GateEvent>(
  step: StepScope,
  stage: OnStage,
  event: E,
  failure: StepFailure,
): E | undefined {
  // A copy: the changes of helpers in the failed handler belong to the event that it received, not to that of the next handler.
  if (event.type === 'error' || event.type === 'postCall') return Object.freeze({ ...event });
  if (stage.hook.onFailure === 'block' && event.type !== 'preActing') return undefined;
  tolerate(step, failure);
  // A copy: a decision that the hook took but did not return must not be attributed to the next one.
  if (stage.hook.onFailure === 'skip') return Object.freeze({ ...event });
  const { hook: by = 'engine', message } = failure;
  const reason = failure.hook === undefined ? message : `hook "${by}" failed`;
  return Object.freeze({ ...event, decision: Object.freeze({ action: 'deny', reason, by }) } as E);
}

function applies(step: StepScope, stage: OnStage, event: GateEvent): boolean {
  if (!('toolCall' in event)) return true;
  const permission = 'permission' in event ? event.permission : (step.permission ?? 'external');
  const result = stage.applies?.(event.toolCall.name, permission) ?? true;
  if (!result) step.scope.tracer?.skip(event, stage.hook, 'on', 'does not match');
  return result;
}

/** Returns whether no later handler may change the event. */
function ends(event: GateEvent): boolean {
  const action = event.decision && (event.decision as { action: string }).action;
  return action === 'deny' || action === 'finish' || action === 'abort';
}

function skipRest<E extends GateEvent>(step: StepScope, event: E, stages: readonly OnStage[], from: number): E {
  const { tracer } = step.scope;
  if (tracer) {
    for (const { hook } of stages.slice(from))
      tracer.skip(event, hook, 'on', `hook "${event.decision?.by}" has decided`);
  }
  return event;
}

function trace(
  step: StepScope,
  { hook }: OnStage,
  before: GateEvent,
  after: object,
  began: number,
  effect?: Effect,
): void {
  const ms = step.scope.settings.scheduler.now() - began;
  step.scope.tracer?.step({ hook, stage: 'on', before, after, effect, ms });
}
