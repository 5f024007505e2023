import type { Logger } from '../../pipeline/logger.ts';
import type { HostRun } from './host-run.ts';

/** Runs of one middleware without `hookedAgent`, by the id of the invocation's first run. */
export type Runs = Map<string, HostRun>;

/** The maximum number of runs. The middleware is not notified when a run without `hookedAgent` fails, so such runs stay in the map. */
const MOST = 1_000;

export function remember(runs: Runs, id: string, run: HostRun): void {
  const [oldest] = runs.keys();
  if (runs.size >= MOST && oldest !== undefined) runs.delete(oldest);
  runs.set(id, run);
}

interface Watched {
  readonly runs: Runs;
  readonly run: HostRun;
}

const watched = new WeakMap<object, Watched>();

/** Returns a key for a run in LangChain's configuration. The key has no fields, because streams and handlers expose the configuration. */
export function keyOf(runs: Runs, run: HostRun): object {
  const key = Object.freeze({});
  watched.set(key, { runs, run });
  return key;
}

/** Returns the run of a key, if it belongs to `runs`. */
export function runAt(key: unknown, runs: Runs): HostRun | undefined {
  const found = typeof key === 'object' && key !== null ? watched.get(key) : undefined;
  return found?.runs === runs ? found.run : undefined;
}

/** The data of a middleware that `hookline` created. */
export interface Registered {
  readonly runs: Runs;
  readonly log: Logger;
}

const known = new WeakMap<object, Registered>();

export function registerMiddleware(middleware: object, registered: Registered): void {
  known.set(middleware, registered);
}

export function registeredOf(middleware: object): Registered | undefined {
  return known.get(middleware);
}
