import { asyncScheduler, concatMap, defer, delay, from, type Observable, of, type SchedulerLike } from 'rxjs';
import { z } from 'zod';
import { parseOptions } from '../errors/parse-options.ts';
import type { Model, ModelChunk } from '../pipeline/define/model.ts';
import { planAnswer } from './offline/plan-answer.ts';
import { toChunks } from './offline/to-chunks.ts';

/** Options of `offlineModel`. */
export interface OfflineModelOptions {
  /** Milliseconds before each chunk; 0, the default, streams synchronously. */
  readonly delayMs?: number;
  /** What the delays run on; `asyncScheduler` when left out. */
  readonly scheduler?: SchedulerLike;
}

const optionsSchema = z.strictObject({
  delayMs: z.number().nonnegative().default(0),
  scheduler: z
    .custom<SchedulerLike>(
      (value) => typeof (value as SchedulerLike | null)?.schedule === 'function',
      'must be an RxJS scheduler',
    )
    .default(asyncScheduler),
});

/**
 * A model without a language model: a few rules turn plain requests (list, read, search, write, delete, run) into calls of the
 * tools that the request offers, and tell what came back. Deterministic, and stateless: all it knows are the request's messages.
 * Options that do not fit throw `OPTIONS_INVALID`.
 */
export function offlineModel(options: OfflineModelOptions = {}): Model {
  const { delayMs, scheduler } = parseOptions('offlineModel', optionsSchema, options);
  const model: Model = (request): Observable<ModelChunk> => {
    const chunks$ = defer(() => from(toChunks(planAnswer(request), request)));
    return delayMs === 0 ? chunks$ : chunks$.pipe(concatMap((chunk) => of(chunk).pipe(delay(delayMs, scheduler))));
  };
  return Object.assign(model, { modelId: 'offline' });
}
