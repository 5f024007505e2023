import { catchError, defer, identity, type Observable, throwError } from 'rxjs';
import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { PreReasoning } from '../../events/pre-reasoning.ts';
import { timerMs } from '../../events/values/timer-ms.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type AskNext, type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { ModelChunk } from '../../pipeline/define/model.ts';
import { rewritten } from '../../pipeline/run/step-failure.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import type { HookHost } from '../hook-host.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { failOnRefusal, failOnSilence, NoAnswer } from './watch-answer.ts';

/** The options of `modelFallback` with their defaults. */
export const modelFallbackOptionsSchema = z.strictObject({
  name: z.string().min(1).default('model-fallback').describe('Name of the hook.'),
  models: z
    .array(z.string().min(1))
    .min(1, 'must contain at least one model')
    .refine((names) => new Set(names).size === names.length, 'must not contain a model twice')
    .describe('Fallback models in order: models of the host, or names that the model of the run supports.'),
  on: z
    .array(z.enum(['failure', 'silence', 'refusal']))
    .min(1, 'must contain at least one of failure, silence and refusal')
    .exactOptional()
    .describe('When to use the next model (default: failure and silence, and refusal if refusals is set).'),
  silenceMs: timerMs().default(60_000).describe('Timeout for the first chunk and between two chunks, in milliseconds.'),
  refusals: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Beginnings of answers that are refusals, such as "I cannot help", case-insensitive. An answer that the provider marks as filtered is a refusal, too.',
    ),
  restMs: z
    .number()
    .nonnegative()
    .default(0)
    .describe('How long all runs skip a model after a failure or silence, in milliseconds.'),
});

/** The options of `modelFallback` before defaults. */
export type ModelFallbackOptions = z.input<typeof modelFallbackOptionsSchema>;

/** A model to use; the first one is the run's own. */
interface Candidate {
  readonly name?: string;
  ask(next: AskNext): Observable<ModelChunk>;
}

/** The outcome of a request whose first model gave no answer. */
interface Fallen {
  readonly answeredBy: string;
  readonly failures: readonly string[];
}

/**
 * Sends a request to the next model if a model fails or stays silent for too long, or if it refuses and `refusals` is set. The text of
 * the previous model is retracted. The answer of the last model is final, even if it is a refusal. If the last model fails, the request
 * fails with the errors of all models.
 *
 * Inner hooks, such as `budget`, receive the name of the model in use.
 *
 * - Parallel calls: They do not concern this hook.
 * - Sub-agents: Their requests fall back, too.
 * - Retry: Each request begins with the first model that is not resting.
 * - Suspend and resume: Nothing is kept.
 * - Cost: A model request for each further model. Up to `silenceMs` of waiting for each silent model.
 */
export function modelFallback(options: ModelFallbackOptions, host: HookHost = {}): Hook {
  const settings = parseHookOptions('model-fallback', modelFallbackOptionsSchema, options);
  const { name, models, silenceMs, refusals, restMs } = settings;
  const on = settings.on ?? (refusals.length > 0 ? ['failure', 'silence', 'refusal'] : ['failure', 'silence']);
  const candidates: readonly Candidate[] = [{ ask: (next) => next() }, ...models.map((one) => candidate(one, host))];
  /** The time until which each model is skipped. */
  const resting = new Map<Candidate, number>();
  const fallen = new WeakMap<RunInfo, Fallen>();

  function ask(event: PreReasoning, next: AskNext, context: HookContext): Observable<ModelChunk> {
    const { run } = event;
    const { scheduler } = context;
    // A failed request has left its outcome, which no event reported.
    fallen.delete(run);
    const awake = candidates.filter((one) => (resting.get(one) ?? 0) <= scheduler.now());
    const order = awake.length > 0 ? awake : candidates;
    const nameOf = ({ name: own = event.model ?? "the run's model" }: Candidate) => own;
    const failures: string[] = [];

    function askFrom([one, ...rest]: readonly Candidate[]): Observable<ModelChunk> {
      const isLast = rest.length === 0;
      if (one !== candidates[0]) fallen.set(run, { answeredBy: nameOf(one as Candidate), failures });
      const answer$ = (one as Candidate)
        .ask(next)
        .pipe(
          on.includes('silence') ? failOnSilence(silenceMs, scheduler, next.whenIdle) : identity,
          on.includes('refusal') && !isLast ? failOnRefusal(refusals) : identity,
        );
      return answer$.pipe(
        catchError((thrown) => {
          const why = thrown instanceof NoAnswer ? thrown.why : 'failure';
          if (!on.includes(why)) return throwError(() => thrown);
          failures.push(`${nameOf(one as Candidate)}: ${messageOf(thrown)}`);
          if (why !== 'refusal' && restMs > 0) resting.set(one as Candidate, scheduler.now() + restMs);
          if (isLast) return throwError(() => rewritten(allFailed(failures), thrown));
          // Omits the model's message, which may contain anything, because the log is not redacted.
          context.log.warn(
            { model: nameOf(one as Candidate), why, next: nameOf(rest[0] as Candidate) },
            'a model gave no answer; using the next one',
          );
          return askFrom(rest);
        }),
      );
    }
    return askFrom(order);
  }

  return defineHook({
    name,
    description: 'Uses the next model if one gives no answer.',
    priority: HookPriority.BUSINESS,
    around: { reasoning: (event, next, context) => defer(() => ask(event, next, context)) },
    on: {
      postReasoning(event) {
        const from = fallen.get(event.run);
        if (!from) return undefined;
        fallen.delete(event.run);
        const { answeredBy, failures } = from;
        const message = `Used ${answeredBy}${failures.length > 0 ? ` because ${failures.join('; ')}` : ''}.`;
        return modify(event, {}, { note: { code: 'model-fallback', message, data: { answeredBy, failures } } });
      },
    },
  });
}

/** Returns a model of the host, or a name for the run's own model. */
function candidate(name: string, { models = {} }: HookHost): Candidate {
  const model = Object.hasOwn(models, name) ? models[name] : undefined;
  return { name, ask: (next) => (model ? next({}, model) : next({ model: name })) };
}

function allFailed(failures: readonly string[]): HooklineError {
  const message =
    failures.length === 1
      ? `The model gave no answer. ${failures[0]}`
      : `No model gave an answer. ${failures.join('; ')}`;
  return new HooklineError('MODEL_FAILED', message);
}

/** @internal The catalogue entry of `modelFallback`. */
export const modelFallbackEntry = defineCatalogueEntry({
  name: 'model-fallback',
  description: 'Uses the next model if one fails, times out or starts with a refusal that you list.',
  events: ['preReasoning', 'reasoningChunk', 'postReasoning'],
  optionsSchema: modelFallbackOptionsSchema,
  example: { models: ['small', 'other'], silenceMs: 30_000 },
  notices: ({ on, refusals }) =>
    on && refusals.length > 0 && !on.includes('refusal')
      ? [{ path: ['refusals'], message: 'have no effect, because "on" does not contain "refusal"' }]
      : [],
  // A change of the models always counts as weakening, because they receive the conversation.
  weakens: weakensUnless({}, ['on', 'silenceMs', 'refusals', 'restMs']),
  create: modelFallback,
});
