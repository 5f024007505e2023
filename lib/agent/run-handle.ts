import type { Observable } from 'rxjs';
import type { SettledEvent } from '../events/hook-event.ts';
import type { RunInfo } from '../events/parts/run-info.ts';
import { processWide } from '../events/values/process-wide.ts';
import type { TranscriptStore } from '../store/transcripts/transcript-store.ts';
import type { Answers, Snapshot } from './suspend/snapshot.ts';

/** The control of a run of an agent by the `run` of its events. */
export interface RunHandle {
  /** The store of its conversation. */
  readonly transcript: TranscriptStore;
  /** Ends the run with a last model step without tools. */
  interrupt(): void;
  /** Resumes the run after its suspension, with the hooks and the transcript of its options. */
  resume(snapshot: Snapshot, answers: Answers, signal: AbortSignal): Observable<SettledEvent>;
}

const handles = processWide('runHandles', () => new WeakMap<RunInfo, RunHandle>());

export function keepHandle(run: RunInfo, handle: RunHandle): void {
  handles.set(run, handle);
}

/** Returns the handle of a run of an agent of this process, from a settled event. */
export function handleOf(run: RunInfo): RunHandle | undefined {
  return handles.get(run);
}
