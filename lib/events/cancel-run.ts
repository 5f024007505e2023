import type { RunInfo } from './parts/run-info.ts';
import { processWide } from './values/process-wide.ts';

/** An active run. */
interface Cancellable {
  cancel(reason?: string): void;
}

// By reference: a host may keep the `run` of an abandoned stream, and must not keep the run itself.
const runs = processWide('runs', () => new WeakMap<RunInfo, WeakRef<Cancellable>>());

/** Makes a run cancellable by the `run` of its events. */
export function keepCancellable(run: RunInfo, cancellable: Cancellable): void {
  runs.set(run, new WeakRef(cancellable));
}

/** Whether `cancelRun` can cancel the run. It cannot if `run` is a copy, for example of an event from another process. */
export function isCancellable(run: RunInfo): boolean {
  return runs.get(run)?.deref() !== undefined;
}

/** Cancels the run of a settled event of this process. A run that has ended does not change. */
export function cancelRun(run: RunInfo, reason: string): void {
  runs.get(run)?.deref()?.cancel(reason);
}
