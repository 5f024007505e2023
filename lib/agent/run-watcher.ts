import type { Observable } from 'rxjs';
import { z } from 'zod';
import type { SettledEvent } from '../events/hook-event.ts';
import type { Pipeline } from '../pipeline/create-pipeline.ts';
import { consoleLogger, type Logger } from '../pipeline/logger.ts';
import type { Answers, Snapshot } from './suspend/snapshot.ts';

/** A source of events: an agent, a pipeline, or the events of any runs. */
export type WatchedRuns =
  | { readonly pipeline: Pick<Pipeline, 'events$'> }
  | Pick<Pipeline, 'events$'>
  | Observable<SettledEvent>;

/** A suspended run whose calls are answered by a watcher. */
export interface AnsweredRun {
  readonly runId: string;
  /** The snapshot, with the approvals in the metadata of its run. */
  readonly snapshot: Snapshot;
  readonly answers: Answers;
  /** Aborts when the resumed run is cancelled by the watcher. */
  readonly signal: AbortSignal;
}

/** Options of `RunWatcher.watch`. */
export interface WatchOptions {
  /** The owner of runs without `userId` (default: the user of this process). */
  readonly user?: string;
  /** Resumes a suspended run. Resolves with `undefined` if the run is unknown. Runs of agents are resumed without it. */
  readonly resume?: (run: AnsweredRun) => Promise<Observable<SettledEvent> | undefined>;
}

/** Shows the runs of this program, for example on the page of `createRuns` of `hookline/server`. */
export interface RunWatcher {
  /**
   * Watches the runs that start from now on, with their sub-agents. Repeated calls for a source are allowed. Watching never delays or fails a run.
   */
  watch(source: WatchedRuns, options?: WatchOptions): void;
}

/** The schema of the option `runs`. */
export const runWatcherSchema = z
  .custom((value) => typeof (value as RunWatcher | null)?.watch === 'function', 'must come from createRuns()')
  .optional();

/** Watches the runs of a source. Errors of the watcher are logged, so that they never fail a run. */
export function watchSafely(
  runs: RunWatcher | undefined,
  source: WatchedRuns,
  log: Logger = consoleLogger,
  options?: WatchOptions,
): void {
  const fail = (err: unknown): void => log.error({ err }, 'the watcher of runs failed');
  try {
    Promise.resolve(runs?.watch(source, options)).catch(fail);
  } catch (thrown) {
    fail(thrown);
  }
}
