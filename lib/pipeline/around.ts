import { isObservable, Observable } from 'rxjs';
import { HooklineError } from '../errors.ts';
import { createAroundTrace } from './around-trace.ts';
import type { HookContext } from './hook-context.ts';
import { LatestOnly } from './latest-only.ts';
import type { Stage } from './plan.ts';
import { Relay } from './relay.ts';
import { firstTold } from './retold.ts';
import { leaseOf } from './run-scope.ts';
import { hookFailure, StepFailure } from './step-failure.ts';
import type { StepScope } from './step-scope.ts';

/** A step that may be wrapped: given what it is asked, it streams raw items. */
export type RawStep<Request, Item> = (request: Request) => Observable<Item>;

/** What the wrappers of one step need. */
export interface Wrapping<S extends Stage, Request, Item> {
  readonly step: StepScope;
  /** The wrappers, outermost first, and which of them apply. */
  readonly stages: readonly S[];
  applies?(stage: S): boolean;
  core(request: Request): Observable<Item>;
  /** Calls one hook's wrapper. */
  call(stage: S, next: (request?: Partial<Request>) => Observable<Item>, context: HookContext): unknown;
  /** A further subscription to some `next` has begun: what came so far is withdrawn. */
  newAttempt(): void;
}

/** A step with its wrappers, and who is to blame for what it fails with. */
export interface WrappedStep<Request, Item> {
  readonly run: RawStep<Request, Item>;
  failureOf(thrown: unknown): StepFailure;
}

/**
 * The step with its wrappers around it, lowest priority number outermost. The wrappers see an error as it was thrown; `failureOf` says
 * whether the step itself failed or one of them did.
 */
export function wrapStep<S extends Stage, Request, Item>(
  wrapping: Wrapping<S, Request, Item>,
): WrappedStep<Request, Item> {
  const { step } = wrapping;
  const stages = wrapping.applies ? wrapping.stages.filter((stage) => wrapping.applies?.(stage)) : wrapping.stages;
  const core = (request: Request): Observable<Item> => wrapping.core(request);
  const newAttempt = (): void => wrapping.newAttempt();
  const source = step.phase === 'acting' ? 'tool' : 'model';
  const { tracer } = step.scope;
  const trace = tracer && createAroundTrace(step.scope, wrapping.stages, (stage) => stages.includes(stage as S));
  if (trace) step.arounds = trace;
  // Most steps have no wrappers; then the step's own Observable is the whole of it.
  if (stages.length === 0) return { run: core, failureOf: (thrown) => toFailure(thrown, source) };

  let failures: Map<unknown, StepFailure> | undefined;
  const blame = (thrown: unknown, failure: () => StepFailure): void => {
    failures ??= new Map();
    if (!failures.has(thrown)) failures.set(thrown, failure());
  };
  /** What a wrapper only words otherwise stays the failure of whoever threw it first. */
  const isBlamed = (thrown: unknown): boolean => {
    const first = firstTold(thrown);
    const known = first && failures?.get(first.thrown);
    if (known) blame(thrown, () => known.retold(`around.${step.phase}`, thrown));
    return failures?.has(thrown) ?? false;
  };

  const run = stages.reduceRight<RawStep<Request, Item>>(
    (inner, stage) => (request) =>
      new Observable<Item>((subscriber) => {
        const { hook, index } = stage;
        // What no wrapper further in has been blamed for came from the step itself.
        const attempts = new LatestOnly<Item>(newAttempt, (thrown) =>
          blame(thrown, () => new StepFailure(source, thrown)),
        );
        const watch = trace?.watch(stage);
        const next = (own?: Partial<Request>) =>
          attempts.of(() => {
            const asked = inner(own ? { ...request, ...own } : request);
            return watch ? watch.asked(asked, differing(request, own)) : asked;
          });
        const lease = leaseOf(step.scope, hook, index);
        step.scope.leases[index] = undefined;
        let ended = false;
        const relay = new Relay(subscriber, (failed) => {
          ended = true;
          return failed === undefined || isBlamed(failed.error) || !skips(failed.error);
        });
        relay.add(() => {
          if (!ended) lease.expire('cancelled');
        });
        try {
          const returned = wrapping.call(stage, next, lease);
          if (!isObservable(returned)) throw notObservable(stage);
          const given$ = returned as Observable<Item>;
          (watch ? watch.gives(given$) : given$).subscribe(relay);
        } catch (thrown) {
          relay.error(thrown);
        }

        /** Whether the step goes on without the wrapper; otherwise the wrapper is to blame. */
        function skips(thrown: unknown): boolean {
          step.scope.log.error({ hook: hook.name, err: thrown }, 'a hook failed');
          const failure = hookFailure(hook.name, `around.${step.phase}`, thrown, false);
          watch?.failed(failure.message);
          // Once the step has been asked, skipping the wrapper would do it twice.
          if (hook.failure === 'closed' || attempts.begun > 0) {
            blame(thrown, () => failure);
            return false;
          }
          step.tolerated.push(failure);
          if (relay.given) newAttempt();
          inner(request).subscribe(subscriber);
          return true;
        }
      }),
    core,
  );
  return { run, failureOf: (thrown) => failures?.get(thrown) ?? toFailure(thrown, source) };
}

/** The members that a wrapper asks for otherwise. */
function differing<Request>(request: Request, own: Partial<Request> | undefined): readonly string[] {
  return Object.keys(own ?? {}).filter((key) => own?.[key as keyof Request] !== request[key as keyof Request]);
}

function toFailure(thrown: unknown, source: 'model' | 'tool'): StepFailure {
  return thrown instanceof StepFailure ? thrown : new StepFailure(source, thrown);
}

function notObservable({ hook }: Stage): HooklineError {
  return new HooklineError(
    'HOOK_CONTRACT',
    `Hook "${hook.name}": \`around\` must return an Observable; return next() or something made of it.`,
  );
}
