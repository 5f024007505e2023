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
