import { asyncScheduler, concatMap, defer, delay, from, type Observable, of, type SchedulerLike } from 'rxjs';
import { z } from 'zod';
import { parseOptions } from '../errors/parse-options.ts';
import type { Model, ModelChunk } from '../pipeline/define/model.ts';
import { planAnswer } from './offline/plan-answer.ts';
import { toChunks } from './offline/to-chunks.ts';

/** Options of `offlineModel`. */
export interface OfflineModelOptions {
  /** The delay before each chunk, in milliseconds. 0 streams synchronously (default: 0). */
  readonly delayMs?: number;
  /** The scheduler for the delays (default: `asyncScheduler`). */
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
 * A model without a language model. Rules turn plain requests (list, read, search, write, delete, run) into calls of the offered tools, and report
 * the results. It is deterministic and stateless: it reads only the request's messages. Throws `OPTIONS_INVALID` for invalid options.
 */
export function offlineModel(options: OfflineModelOptions = {}): Model {
  const { delayMs, scheduler } = parseOptions('offlineModel', optionsSchema, options);
  const model: Model = (request): Observable<ModelChunk> => {
    const chunks$ = defer(() => from(toChunks(planAnswer(request), request)));
    return delayMs === 0 ? chunks$ : chunks$.pipe(concatMap((chunk) => of(chunk).pipe(delay(delayMs, scheduler))));
  };
  return Object.assign(model, { modelId: 'offline' });
}
