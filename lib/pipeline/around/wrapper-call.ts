import { isObservable, type Observable } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { HookContext } from '../define/hook-context.ts';
import type { Stage } from '../define/plan.ts';
import type { Sink } from '../flow/link.ts';
import { Relay } from '../flow/relay.ts';
import { forget } from '../gate/later.ts';
import type { Logger } from '../logger.ts';
import type { Lease } from '../run/lease.ts';
import { leaseOf } from '../run/lease-of.ts';
import { hookFailure, type StepFailure } from '../run/step-failure.ts';
import { type StepScope, tolerate } from '../run/step-scope.ts';
import type { AroundWatch } from '../trace/around-trace.ts';
import { type Attempting, LatestOnly } from './latest-only.ts';

/** Asks the step inside, with the request as it is or as `change` makes it. */
export type Next<Request, Item> = (change?: (request: Request) => Request) => Observable<Item>;

/** What calls of wrappers have in common. */
export interface WrapperHost<S extends Stage, Request, Item> {
  readonly step: StepScope;
  /** The step with the wrappers from `place` on. */
  inner(request: Request, place: number): Observable<Item>;
  call(stage: S, next: Next<Request, Item>, context: HookContext): unknown;
  differing(request: Request, other: Request): readonly string[];
  newAttempt(): void;
  watch(stage: S): AroundWatch | undefined;
  /** Says who is to blame when the step fails with `thrown`: without a failure the step itself. Whoever was blamed first stays so. */
  blame(thrown: unknown, failure?: StepFailure): void;
  isBlamed(thrown: unknown): boolean;
}

/** One call of one hook's wrapper: passes on what it gives. A class for its weight: each chunk of a wrapped step goes through one. */
export class WrapperCall<S extends Stage, Request, Item> extends Relay<Item> implements Attempting<Item> {
  readonly #host: WrapperHost<S, Request, Item>;
  readonly #stage: S;
  readonly #place: number;
  readonly #request: Request;
  readonly #lease: Lease;
  readonly #watch: AroundWatch | undefined;
  readonly #attempts: LatestOnly<Item>;
  #ended = false;
  /** What the wrapper gives now is its own, in the place of what has failed. */
  #failed = false;

  constructor(host: WrapperHost<S, Request, Item>, stage: S, place: number, request: Request, subscriber: Sink<Item>) {
    super(subscriber);
    const { scope } = host.step;
    this.#host = host;
    this.#stage = stage;
    this.#place = place;
    this.#request = request;
    this.#lease = leaseOf(scope, stage.hook, stage.index);
    scope.leases[stage.index] = undefined;
    this.#watch = host.watch(stage);
    this.#attempts = new LatestOnly(this);
  }

  start(): void {
    const watch = this.#watch;
    try {
      const returned = this.#host.call(this.#stage, (change) => this.ask(change), this.#lease.context);
      if (!isObservable(returned)) {
        forget(returned);
        throw notObservable(this.#stage);
      }
      const given$ = returned as Observable<Item>;
      this.listenTo(watch ? watch.gives(given$) : given$);
    } catch (thrown) {
      this.error(thrown);
    }
  }

  private ask(change: ((request: Request) => Request) | undefined): Observable<Item> {
    const watch = this.#watch;
    const request = this.#request;
    const asked = change ? change(request) : request;
    return this.#attempts.of(() => {
      const inner$ = this.#host.inner(asked, this.#place + 1);
      return watch ? watch.asked(inner$, this.#host.differing(request, asked)) : inner$;
    });
  }

  protected override get log(): Logger {
    return this.#host.step.scope.log;
  }

  tooLate(): void {
    const { hook } = this.#stage;
    const message = 'a hook has asked for its step when that was over; nothing was run';
    this.#host.step.scope.log.error({ hook: hook.name, stage: `around.${this.#host.step.phase}` }, message);
  }

  further(): void {
    this.#failed = false;
    this.#host.newAttempt();
  }

  protected override onNext(item: Item): void {
    if (this.#failed) this.further();
    super.onNext(item);
  }

  /** What no wrapper further in has been blamed for came from the step itself. */
  failed(thrown: unknown): void {
    this.#host.blame(thrown);
    this.#failed = true;
  }

  protected override passesOn(failed: { readonly error: unknown } | undefined): boolean {
    this.#ended = true;
    return failed === undefined || this.#host.isBlamed(failed.error) || !this.skips(failed.error);
  }

  override unsubscribe(): void {
    if (this.closed) return;
    this.stop();
    if (!this.#ended) this.#lease.expire('cancelled');
    super.unsubscribe();
  }

  /** Whether the step goes on without the wrapper; otherwise the wrapper is to blame. */
  private skips(thrown: unknown): boolean {
    const { step } = this.#host;
    const { hook } = this.#stage;
    step.scope.log.error({ hook: hook.name, err: thrown }, 'a hook failed');
    const failure = hookFailure(hook.name, `around.${step.phase}`, thrown, false);
    this.#watch?.failed(failure.message);
    // Once the step has been asked, skipping the wrapper would do it twice.
    if (hook.onFailure === 'block' || this.#attempts.begun > 0) {
      this.#host.blame(thrown, failure);
      return false;
    }
    tolerate(step, failure);
    if (this.given) this.#host.newAttempt();
    this.#host.inner(this.#request, this.#place + 1).subscribe(this.target);
    return true;
  }
}

function notObservable({ hook }: Stage): HooklineError {
  return new HooklineError(
    'HOOK_CONTRACT',
    `Hook "${hook.name}": \`around\` must return an Observable; return next() or something made of it.`,
  );
}
