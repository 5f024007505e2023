import { catchError, defer, identity, type Observable, throwError } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { PreReasoning } from '../../events/pre-reasoning.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type AskNext, type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { ModelChunk } from '../../pipeline/define/model.ts';
import { retold } from '../../pipeline/run/step-failure.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import type { HookHost } from '../hook-host.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { type ModelFallbackOptions, modelFallbackOptionsSchema } from './model-fallback-options.ts';
import { failOnRefusal, failOnSilence, NoAnswer } from './watch-answer.ts';

/** A model that may be asked; the first one is the run's own. */
interface Candidate {
  readonly name?: string;
  ask(next: AskNext): Observable<ModelChunk>;
}

/** What has become of a question whose first model gave no answer. */
interface Fallen {
  readonly answeredBy: string;
  readonly failures: readonly string[];
}

/**
 * Asks the next model when one fails or says nothing for too long, and where the host gives its `refusals`, when one refuses. What it had
 * said by then is withdrawn. The answer of the last model stands, a refusal too; if that one fails, the question fails with what each of them failed with.
 *
 * Calls at once do not concern it. Sub-agents: their questions fall back, too. Retry: each question begins with the first model that does
 * not rest. Suspend and resume: nothing is kept. Hooks further in, as `budget`, are told which model is asked.
 */
export function modelFallback(options: ModelFallbackOptions, host: HookHost = {}): Hook {
  const settings = parseHookOptions('model-fallback', modelFallbackOptionsSchema, options);
  const { name, models, silenceMs, refusals, restMs } = settings;
  const on = settings.on ?? (refusals.length > 0 ? ['failure', 'silence', 'refusal'] : ['failure', 'silence']);
  const candidates: readonly Candidate[] = [{ ask: (next) => next() }, ...models.map((one) => candidate(one, host))];
  /** Until when each is passed over. */
  const resting = new Map<Candidate, number>();
  const fallen = new WeakMap<RunInfo, Fallen>();

  function ask(event: PreReasoning, next: AskNext, { scheduler, log, run }: HookContext): Observable<ModelChunk> {
    // A question that failed has left what nobody came to tell.
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
          if (isLast) return throwError(() => retold(allFailed(failures), thrown));
          // What the model says of it may hold anything, and no redactor reads the log.
          log.warn(
            { model: nameOf(one as Candidate), why, next: nameOf(rest[0] as Candidate) },
            'a model gave no answer, and the next one is asked',
          );
          return askFrom(rest);
        }),
      );
    }
    return askFrom(order);
  }

  return defineHook({
    name,
    description: 'Asks the next model when one gives no answer.',
    priority: HookPriority.BUSINESS,
    around: { reasoning: (event, next, context) => defer(() => ask(event, next, context)) },
    on: {
      postReasoning(event) {
        const from = fallen.get(event.run);
        if (!from) return undefined;
        fallen.delete(event.run);
        const { answeredBy, failures } = from;
        const message = `${answeredBy} was asked${failures.length > 0 ? `, for ${failures.join('; ')}` : ''}.`;
        return modify(event, {}, { note: { code: 'model-fallback', message, data: { answeredBy, failures } } });
      },
    },
  });
}

/** A model of the host, or a name that the run's own model knows. */
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

/** The catalogue entry of `modelFallback`. */
export const modelFallbackEntry = defineCatalogueEntry({
  name: 'model-fallback',
  description: 'Asks the next model when one fails or says nothing, or begins with a refusal that you name.',
  events: ['preReasoning', 'reasoningChunk', 'postReasoning'],
  approves: false,
  optionsSchema: modelFallbackOptionsSchema,
  example: { models: ['small', 'other'], silenceMs: 30_000 },
  notices: ({ on, refusals }) =>
    on && refusals.length > 0 && !on.includes('refusal')
      ? [{ path: ['refusals'], message: 'have no effect: "on" does not name "refusal"' }]
      : [],
  // Whom the conversation is sent to is not free.
  weakens: weakensUnless({ on: 'free', silenceMs: 'free', refusals: 'free', restMs: 'free' }),
  create: modelFallback,
});
