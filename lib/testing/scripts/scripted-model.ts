import {
  asyncScheduler,
  concat,
  concatMap,
  defer,
  delay,
  from,
  map,
  type Observable,
  of,
  type SchedulerLike,
  throwError,
} from 'rxjs';
import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { HooklineError } from '../../errors.ts';
import type { Model, ModelChunk, ModelRequest } from '../../pipeline/define/model.ts';
import { type MarbleTurn, marbleSource } from './marble-source.ts';
import { scriptError } from './script-error.ts';
import { type ScriptTurn, scriptSchema } from './script-schema.ts';

/** How a scripted model streams. */
export interface ScriptedModelOptions {
  /** Milliseconds before each chunk (default: 0, which streams synchronously). */
  readonly delayMs?: number;
  /** Scheduler of the delays (default: `asyncScheduler`). Marbles need the scheduler of `marbles()`. */
  readonly scheduler?: SchedulerLike;
  /** Default: `scripted`. */
  readonly modelId?: string;
}

/** A model that follows a script. `requests` contains its requests so far. */
export type ScriptedModel = Model & { readonly requests: readonly ModelRequest[]; readonly modelId: string };

const optionsSchema = z.strictObject({
  delayMs: z.number().nonnegative().default(0),
  scheduler: z
    .custom<SchedulerLike>(
      (value) => typeof (value as SchedulerLike | null)?.schedule === 'function',
      'must be an RxJS scheduler',
    )
    .optional(),
  modelId: z.string().default('scripted'),
});

type Turn = (ScriptTurn & { readonly marbles?: never }) | MarbleTurn<ModelChunk> | string;

/**
 * Creates a model that answers each request with the next turn of a script. After the last one it fails with `SCRIPT_EXHAUSTED`. All callers share
 * one position in the script, so create a new model for a run that must start over. Tool calls without an id get `call_1`, `call_2`, … in the order
 * of the script.
 */
export function scriptedModel(turns: readonly Turn[], options: ScriptedModelOptions = {}): ScriptedModel {
  const { delayMs, scheduler, modelId } = parseOptions('scriptedModel: options do not fit', optionsSchema, options);
  const script = parseOptions(
    'scriptedModel: turns do not fit',
    scriptSchema,
    // Marbles are not JSON and are validated separately.
    Array.isArray(turns) ? turns.map((turn) => (isMarbles(turn) ? '' : turn)) : turns,
  );
  let calls = 0;
  const answers = script.map((turn, index): Observable<ModelChunk> => {
    const drawn = turns[index] as Turn;
    if (isMarbles(drawn)) return marbleSource(drawn, scheduler, `scriptedModel: turns[${index}]`).pipe(map(toChunk));
    const chunks$ = from(toChunks(turn, () => `call_${++calls}`));
    const slow$ = delayMs === 0 ? chunks$ : chunks$.pipe(slowly(delayMs, scheduler ?? asyncScheduler));
    return concat(
      slow$,
      turn.error === undefined ? of(toFinish(turn)) : throwError(() => scriptError(turn.error as string)),
    );
  });
  const requests: ModelRequest[] = [];
  const model: Model = (request) =>
    defer(() => {
      requests.push(request);
      return answers[requests.length - 1] ?? throwError(() => exhausted(answers.length));
    });
  return Object.assign(model, { requests, modelId });
}

function toChunks(turn: ScriptTurn, nextId: () => string): ModelChunk[] {
  const { thinking, text, chunks = text === undefined ? [] : [text], toolCalls = [] } = turn;
  return [
    ...(thinking === undefined ? [] : [{ type: 'thinking' as const, delta: thinking }]),
    ...chunks.map(toChunk),
    ...toolCalls.map(({ id, name, input }): ModelChunk => {
      const next = nextId();
      return { type: 'toolCall', toolCall: { id: id ?? next, name, input } };
    }),
  ];
}

function toFinish({ toolCalls = [], usage }: ScriptTurn): ModelChunk {
  return { type: 'finish', finishReason: toolCalls.length > 0 ? 'toolCalls' : 'stop', ...(usage && { usage }) };
}

function toChunk(value: ModelChunk | string): ModelChunk {
  return typeof value === 'string' ? { type: 'text', delta: value } : value;
}

function slowly(ms: number, scheduler: SchedulerLike) {
  return concatMap((chunk: ModelChunk) => of(chunk).pipe(delay(ms, scheduler)));
}

function isMarbles(turn: Turn): turn is MarbleTurn<ModelChunk> {
  return typeof turn === 'object' && turn !== null && typeof turn.marbles === 'string';
}

function exhausted(turns: number): HooklineError {
  const has = turns === 1 ? '1 turn' : `${turns} turns`;
  return new HooklineError(
    'SCRIPT_EXHAUSTED',
    `The script of the model has ${has}, and all have been given. Add a turn, or find out why the model is asked once more.`,
  );
}
