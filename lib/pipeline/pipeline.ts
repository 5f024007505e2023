import type { Observable, SchedulerLike } from 'rxjs';
import type { SettledEvent } from '../events/hook-event.ts';
import type { AnyPipeline } from './define/child-agent.ts';
import type { Hook } from './define/hook.ts';
import type { Model } from './define/model.ts';
import type { Logger } from './logger.ts';
import type { Run, RunOptions } from './run/run.ts';
import type { Tool } from './tools/tool.ts';
import type { TraceReport } from './trace/tracer.ts';

/** What a source may do that pushes faster than its hooks work. */
export type Overflow = 'error' | 'dropOldest' | 'dropNewest';

/** How a pipeline works. Everything has a default. */
export interface PipelineOptions {
  /** Parent of every hook's logger, of pino or alike; by default warnings and errors go to the console. */
  readonly log?: Logger;
  /** Feeds every timer and every `time`; default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
  /** Reports on `traces$` what each hook did to each settled event; default false. */
  readonly trace?: boolean;
  /** Retries in a row that a run may ask for; default 8. */
  readonly maxRetries?: number;
  /** Chunks that a pushing source may be ahead of its hooks, and what happens then; default 1,024 and `error`. */
  readonly buffer?: { readonly chunks?: number; readonly overflow?: Overflow };
  /** Characters of chunks that are joined to a result when a tool returns none; default 100,000. */
  readonly maxResultChars?: number;
  /** Freeze chunk events too, so that a mutation in place is an error; default: unless NODE_ENV is `production`. */
  readonly freezeChunks?: boolean;
  /** Models that hooks may ask by name, see `context.ask`. */
  readonly models?: Readonly<Record<string, Model>>;
  /** Makes run ids; default random UUIDs. */
  readonly newId?: () => string;
}

/** An immutable, ordered composition of hooks. Make it once, start any number of runs on it. */
export interface Pipeline {
  /** The hooks in running order. */
  readonly hooks: readonly Hook[];
  /** The tools that hooks bring. */
  readonly tools: readonly Tool[];
  readonly options: PipelineOptions;
  /** All settled events of all runs, as they happen. */
  readonly events$: Observable<SettledEvent>;
  /** With `trace: true`, what every hook did to each settled event. */
  readonly traces$: Observable<TraceReport>;
  /** A new pipeline that has `hook` too. */
  with(hook: Hook): Pipeline;
  /** A new pipeline without the hook of that name. */
  without(name: string): Pipeline;
  /** Begins a run: the two phases, ready to be composed into a loop. */
  start(options: RunOptions): Run;
  /** Resolves when every observer has dealt with every event that has settled. */
  flush(): Promise<void>;
  /** How many chunks each observer has been spared because it was too slow. */
  droppedChunks(): Readonly<Record<string, number>>;
}

/** The pipeline that a sub-agent is given, which whoever hands it on knows less of. */
export function asPipeline(given: AnyPipeline): Pipeline {
  return given as Pipeline;
}
