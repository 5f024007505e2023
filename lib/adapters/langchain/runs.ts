import type { Logger } from '../../pipeline/logger.ts';
import type { HostRun } from './host-run.ts';

/** Runs of one middleware that nobody but the graph knows, by the id that the first of an invocation had. */
export type Runs = Map<string, HostRun>;

/** A run that fails where nobody but the graph knows it is told to nobody: so many are kept. */
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

/** What names a run in the configuration of the host, whose streams and handlers show that: it has no members. */
export function keyOf(runs: Runs, run: HostRun): object {
  const key = Object.freeze({});
  watched.set(key, { runs, run });
  return key;
}

/** The run that a key names, where it is one of these. */
export function runAt(key: unknown, runs: Runs): HostRun | undefined {
  const found = typeof key === 'object' && key !== null ? watched.get(key) : undefined;
  return found?.runs === runs ? found.run : undefined;
}

/** What is known of a middleware that `hookline` has made. */
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
