import { isObservable, Observable, type Subscriber } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import { ignoreRejection } from '../../events/values/is-async.ts';
import type { HookContext } from '../define/hook-context.ts';
import type { Stage } from '../define/plan.ts';
import { LoggingSubscriber } from '../flow/logging-subscriber.ts';
import type { Logger } from '../logger.ts';
import { leaseOf } from '../run/lease.ts';
import type { Lease } from '../run/run-scope.ts';
import { Blame, hookFailure } from '../run/step-failure.ts';
import { type StepScope, tolerate } from '../run/step-scope.ts';
import { type AroundTrace, type AroundWatch, createAroundTrace, WatchedSubscriber } from '../trace/around-trace.ts';

/** Runs the wrapped step with the request, which `change` may replace. */
export type Next<Request, Item> = (change?: (request: Request) => Request) => Observable<Item>;

/** The dependencies of the wrappers of one step. */
export interface Wrapping<S extends Stage, Request, Item> {
  readonly step: StepScope;
  /** The wrappers, outermost first, and the test for those that apply. */
  readonly stages: readonly S[];
  applies?(stage: S): boolean;
  core(request: Request): Observable<Item>;
  /** Calls the wrapper of one hook with the request that the outer wrappers made. */
  call(stage: S, next: Next<Request, Item>, context: HookContext, request: Request): unknown;
  /** The fields in which two requests differ. */
  differing(request: Request, other: Request): readonly string[];
  /** Retracts the previous output: a wrapper subscribed to `next` again, or emits its own items after a failure. */
  newAttempt(): void;
}

/**
 * A step with its wrappers, lowest priority number outermost. The wrappers see an error as it was thrown; `blame` records whether the step or a
 * wrapper failed.
 */
export class WrappedStep<S extends Stage, Request, Item> {
  readonly wrapping: Wrapping<S, Request, Item>;
  readonly #stages: readonly S[];
  readonly #trace: AroundTrace | undefined;
  readonly blame: Blame;

  constructor(wrapping: Wrapping<S, Request, Item>) {
    const { step } = wrapping;
    const stages = wrapping.applies ? wrapping.stages.filter((stage) => wrapping.applies?.(stage)) : wrapping.stages;
    this.wrapping = wrapping;
    this.blame = new Blame(step.phase);
    this.#stages = stages;
    this.#trace =
      step.scope.tracer && createAroundTrace(step.scope, wrapping.stages, (stage) => stages.includes(stage as S));
    if (this.#trace) step.arounds = this.#trace;
  }

  /** Runs the step with the wrappers from `place` on. Most steps have none. */
  run(request: Request, place = 0): Observable<Item> {
    const stage = this.#stages[place];
    if (!stage) return this.wrapping.core(request);
    return new Observable((subscriber) => {
      // Some operators subscribe after their subscriber has closed.
      if (!subscriber.closed) new WrapperCall(this, stage, place, request, subscriber).start(this.#trace?.watch(stage));
    });
  }
}

/**
 * One call of one hook's wrapper. Only the latest subscription to its `next` receives items. A later subscription unsubscribes the source of the
 * earlier one. The earlier subscriber completes after the latest: completing at once would end a race of the two, and never completing would block a
 * merge.
 */
class WrapperCall<S extends Stage, Request, Item> extends LoggingSubscriber<Item> {
  readonly #wrapped: WrappedStep<S, Request, Item>;
  readonly #stage: S;
  readonly #place: number;
  readonly #request: Request;
  readonly #target: Subscriber<Item>;
  readonly #lease: Lease;
  #watch: AroundWatch | undefined = undefined;
  #why = 'cancelled';
  /** Whether an item was forwarded. */
  #given = false;
  /** The wrapper's items now replace the failed output. */
  #failed = false;
  /** Whether the current attempt contains only the wrapper's own items. The next subscription to `next` then belongs to this attempt. */
  #prefixed = false;
  /** The number of subscriptions to `next`. */
  #begun = 0;
  #current: Attempt<Item> | undefined = undefined;
  #silenced: Set<Subscriber<Item>> | undefined = undefined;

  constructor(
    wrapped: WrappedStep<S, Request, Item>,
    stage: S,
    place: number,
    request: Request,
    target: Subscriber<Item>,
  ) {
    const { scope } = wrapped.wrapping.step;
    super(scope.log, target);
    this.#wrapped = wrapped;
    this.#stage = stage;
    this.#place = place;
    this.#request = request;
    this.#target = target;
    this.#lease = leaseOf(scope, stage.hook, stage.index);
    scope.leases[stage.index] = undefined;
  }

  start(watch: AroundWatch | undefined): void {
    this.#watch = watch;
    try {
      const { wrapping } = this.#wrapped;
      const returned = wrapping.call(this.#stage, (change) => this.ask(change), this.#lease.context, this.#request);
      if (!isObservable(returned)) {
        ignoreRejection(returned);
        const { name } = this.#stage.hook;
        const message = `Hook "${name}": \`around\` must return an Observable; return next() or something made of it.`;
        throw new HooklineError('HOOK_CONTRACT', message);
      }
      this.listenTo(returned as Observable<Item>);
    } catch (thrown) {
      this.error(thrown);
    }
  }

  /** Returns the Observable of `next`: it runs the inner step once per subscription, until a later subscription begins. */
  private ask(change: ((request: Request) => Request) | undefined): Observable<Item> {
    const watch = this.#watch;
    const request = this.#request;
    const asked = change ? change(request) : request;
    return new Observable<Item>((subscriber) => {
      if (subscriber.closed) return;
      // A `next` that the hook kept must not run a tool after its step ended. It completes without an error, because few late callers handle one.
      if (this.closed) {
        const { step } = this.#wrapped.wrapping;
        const message = 'a hook subscribed to `next` after the end of its step; nothing was run';
        step.scope.log.error({ hook: this.#stage.hook.name, stage: `around.${step.phase}` }, message);
        subscriber.complete();
        return;
      }
      const earlier = this.#current;
      const attempt = new Attempt(subscriber, this, this.log);
      attempt.watch = watch;
      // Set first, because silencing the earlier attempt may end this one.
      this.#current = attempt;
      if (earlier) this.silence(earlier);
      this.#begun += 1;
      if (this.#begun > 1 && !this.#prefixed) this.further();
      this.#prefixed = false;
      watch?.asked(this.#wrapped.wrapping.differing(request, asked));
      attempt.listenTo(this.#wrapped.run(asked, this.#place + 1));
    });
  }

  private silence(attempt: Attempt<Item>): void {
    const { target } = attempt;
    this.#silenced ??= new Set();
    this.#silenced.add(target);
    target.add(() => this.#silenced?.delete(target));
    attempt.unsubscribe();
  }

  /** Called by an attempt when its source fails. The step caused the error unless an inner wrapper was already blamed. */
  failed(thrown: unknown): void {
    this.#wrapped.blame.put(thrown);
    this.#failed = true;
  }

  /** Called by an attempt when it ends. */
  ended(attempt: Attempt<Item>): void {
    if (this.#current !== attempt) return;
    this.#current = undefined;
    for (const earlier of this.#silenced ?? []) earlier.complete();
  }

  private further(): void {
    this.#failed = false;
    this.#wrapped.wrapping.newAttempt();
  }

  protected override _next(item: Item): void {
    this.#watch?.gave(item);
    if (this.#failed) {
      this.further();
      this.#prefixed = true;
    }
    this.#given = true;
    this.#target.next(item);
  }

  protected override _error(thrown: unknown): void {
    this.#why = 'ended';
    if (this.#wrapped.blame.isPut(thrown) || !this.skips(thrown)) this.#target.error(thrown);
    this.unsubscribe();
  }

  protected override _complete(): void {
    this.#why = 'ended';
    this.#watch?.completed();
    super._complete();
  }

  override unsubscribe(): void {
    if (this.closed) return;
    this.isStopped = true;
    this.#watch?.over();
    this.#lease.expire(this.#why);
    super.unsubscribe();
  }

  /** Returns whether the step continues without the wrapper. Otherwise the wrapper is blamed. */
  private skips(thrown: unknown): boolean {
    const { step } = this.#wrapped.wrapping;
    const { hook } = this.#stage;
    step.scope.log.error({ hook: hook.name, err: thrown }, 'a hook failed');
    const failure = hookFailure(hook.name, `around.${step.phase}`, thrown, false);
    this.#watch?.over(failure.message);
    // Skipping the wrapper after `next` ran would run the step twice.
    if (hook.onFailure === 'block' || this.#begun > 0) {
      this.#wrapped.blame.put(thrown, failure);
      return false;
    }
    tolerate(step, failure);
    if (this.#given) this.#wrapped.wrapping.newAttempt();
    this.#wrapped.run(this.#request, this.#place + 1).subscribe(this.#target);
    return true;
  }
}

/** One subscription to `next`. */
class Attempt<Item> extends WatchedSubscriber<Item> {
  readonly target: Subscriber<Item>;
  readonly call: Pick<WrapperCall<Stage, never, Item>, 'failed' | 'ended'>;

  constructor(target: Subscriber<Item>, call: Attempt<Item>['call'], log: Logger | undefined) {
    super(log, target);
    this.target = target;
    this.call = call;
  }

  protected override _error(thrown: unknown): void {
    this.call.failed(thrown);
    super._error(thrown);
  }

  override unsubscribe(): void {
    if (this.closed) return;
    super.unsubscribe();
    this.call.ended(this);
  }
}
