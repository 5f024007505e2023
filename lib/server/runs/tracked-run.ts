import type { ErrorInfo } from '../../events/parts/error-info.ts';
import type { Audience } from '../sse/audience.ts';
import type { Journal } from '../sse/journal.ts';
import type { RunOwner } from './run-ports.ts';
import type { RunView } from './run-view.ts';

/**
 * State of a run. `beginning`: it has no events yet. `running`: its session is busy. `settling`: its events have ended, and its outcome is being saved.
 * `suspended`: it has pending calls. `ended`: there are no more events.
 */
export type RunPhase = 'beginning' | 'running' | 'settling' | 'suspended' | 'ended';

/** Where a run comes from. */
export interface Origin {
  /** The run that it continues. */
  readonly resumes?: RunView;
  /** The run belongs to a program. Returns whether it can be answered here once it is suspended. */
  readonly suspends?: () => boolean;
  /** What was asked of it, and what a server that takes it over needs. */
  readonly asked?: { readonly maxIterations?: number; readonly takeOvers?: number };
}

/** An active or ended run. */
export interface TrackedRun {
  readonly owner: RunOwner;
  readonly phase: RunPhase;
  /** The session ID of the agent. */
  readonly session: string;
  readonly startedAt: number;
  /** Resolves with the view at preCall; rejects if the run fails before. */
  readonly begun: Promise<RunView>;
  /** Resolves when the run has done something. If it ends before, resolves with the reason. */
  readonly acted: Promise<ErrorInfo | undefined>;
  /** Resolves when the last event is sent and a suspended run is saved. */
  readonly ended: Promise<void>;
  /** Defined after preCall. */
  readonly view: RunView | undefined;
  /** The runs of its sub-agents. */
  readonly nested: ReadonlySet<string>;
  readonly endedAt: number | undefined;
  readonly journal: Journal | undefined;
  readonly audience: Audience | undefined;
  cancel(reason: string): void;
  /** Requests one last model step without tools. It ends a pause. */
  interrupt(): void;
  /** Pauses the run or lets it continue. Resolves when that is recorded. Rejects (409) if the run cannot be paused. */
  hold(paused: boolean): Promise<void>;
  /** Records that the run is active. Call it periodically. */
  beat(): void;
  /** Releases the events, after the run has ended and has no readers. */
  forget(): void;
  /** Records the outcome of a suspended run. */
  note(what: Pick<RunView, 'resumedBy' | 'outcome' | 'reason'>): void;
}
