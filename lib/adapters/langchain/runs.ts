import type { HostRun } from './host-run.ts';

/** Runs of one middleware that nobody but the graph knows, by the id that the first of an invocation had. */
export type Runs = Map<string, HostRun>;

const known = new WeakMap<object, Runs>();

export function registerMiddleware(middleware: object, runs: Runs): void {
  known.set(middleware, runs);
}

/** The runs of a middleware that `hookline` has made. */
export function runsOf(middleware: object): Runs | undefined {
  return known.get(middleware);
}
