import { Observable } from 'rxjs';
import { isError } from '../../errors/describe-thrown.ts';
import type { HookContext } from '../define/hook-context.ts';
import type { Stage } from '../define/plan.ts';
import { StepFailure } from '../run/step-failure.ts';
import type { StepScope } from '../run/step-scope.ts';
import { type AroundTrace, type AroundWatch, createAroundTrace } from '../trace/around-trace.ts';
import { firstTold } from './retold.ts';
import { type Next, WrapperCall, type WrapperHost } from './wrapper-call.ts';

/** What the wrappers of one step need. */
export interface Wrapping<S extends Stage, Request, Item> {
  readonly step: StepScope;
  /** The wrappers, outermost first, and which of them apply. */
  readonly stages: readonly S[];
  applies?(stage: S): boolean;
  core(request: Request): Observable<Item>;
  /** Calls one hook's wrapper. */
  call(stage: S, next: Next<Request, Item>, context: HookContext): unknown;
  /** The members of a request that another one has otherwise. */
  differing(request: Request, other: Request): readonly string[];
  /** A further subscription to some `next` has begun, or a wrapper gives something of its own after a failure: what came so far is withdrawn. */
  newAttempt(): void;
}

/** A step with its wrappers, and who is to blame for what it fails with. */
export interface WrappedStep<Request, Item> {
  run(request: Request): Observable<Item>;
  failureOf(thrown: unknown): StepFailure;
}

/**
 * The step with its wrappers around it, lowest priority number outermost. The wrappers see an error as it was thrown; `failureOf` says
 * whether the step itself failed or one of them did.
 */
export function wrapStep<S extends Stage, Request, Item>(
  wrapping: Wrapping<S, Request, Item>,
): WrappedStep<Request, Item> {
  return new Wrappers(wrapping);
}

/** A class for its weight, as the lanes are. */
class Wrappers<S extends Stage, Request, Item> implements WrappedStep<Request, Item>, WrapperHost<S, Request, Item> {
  readonly step: StepScope;
  readonly #wrapping: Wrapping<S, Request, Item>;
  readonly #stages: readonly S[];
  readonly #trace: AroundTrace | undefined;
  #failures: Map<unknown, StepFailure> | undefined = undefined;

  constructor(wrapping: Wrapping<S, Request, Item>) {
    const { step } = wrapping;
    const stages = wrapping.applies ? wrapping.stages.filter((stage) => wrapping.applies?.(stage)) : wrapping.stages;
    this.step = step;
    this.#wrapping = wrapping;
    this.#stages = stages;
    this.#trace =
      step.scope.tracer && createAroundTrace(step.scope, wrapping.stages, (stage) => stages.includes(stage as S));
    if (this.#trace) step.arounds = this.#trace;
  }

  run(request: Request): Observable<Item> {
    return this.inner(request, 0);
  }

  failureOf(thrown: unknown): StepFailure {
    return this.#failures?.get(thrown) ?? toFailure(this.step, thrown);
  }

  inner(request: Request, place: number): Observable<Item> {
    const stage = this.#stages[place];
    // Most steps have no wrappers; then the step's own Observable is the whole of it.
    if (!stage) return this.#wrapping.core(request);
    return new Observable((subscriber) => {
      // Some operators ask although they have ended meanwhile; then nobody is to be asked.
      if (!subscriber.closed) new WrapperCall(this, stage, place, request, subscriber).start();
    });
  }

  call(stage: S, next: Next<Request, Item>, context: HookContext): unknown {
    return this.#wrapping.call(stage, next, context);
  }

  differing(request: Request, other: Request): readonly string[] {
    return this.#wrapping.differing(request, other);
  }

  newAttempt(): void {
    this.#wrapping.newAttempt();
  }

  watch(stage: S): AroundWatch | undefined {
    return this.#trace?.watch(stage);
  }

  blame(thrown: unknown, failure = toFailure(this.step, thrown)): void {
    this.#failures ??= new Map();
    if (!this.#failures.has(thrown)) this.#failures.set(thrown, failure);
  }

  /** What a wrapper only words otherwise stays the failure of whoever threw it first. */
  isBlamed(thrown: unknown): boolean {
    const first = firstTold(thrown);
    const known = first && this.#failures?.get(first.thrown);
    if (known) this.blame(thrown, known.retold(`around.${this.step.phase}`, thrown));
    return this.#failures?.has(thrown) ?? false;
  }
}

function toFailure({ phase }: StepScope, thrown: unknown): StepFailure {
  return isError(thrown, StepFailure) ? thrown : new StepFailure(phase === 'acting' ? 'tool' : 'model', thrown);
}
