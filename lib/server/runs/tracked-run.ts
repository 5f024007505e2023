import type { ErrorInfo } from '../../events/parts/error-info.ts';
import type { Audience } from '../sse/audience.ts';
import type { Journal } from '../sse/journal.ts';
import type { RunOwner } from './run-ports.ts';
import type { RunView } from './run-view.ts';

/**
 * Where a run is in its life. `beginning`: no event of it was seen yet. `running`: its session is busy. `settling`: its events are over, and what
 * has become of it is being saved. `suspended`: it waits for answers. `ended`: nothing more comes.
 */
export type RunPhase = 'beginning' | 'running' | 'settling' | 'suspended' | 'ended';

/** A run that goes on or has ended. */
export interface TrackedRun {
  readonly owner: RunOwner;
  readonly phase: RunPhase;
  /** The session as the agent knows it. */
  readonly session: string;
  readonly startedAt: number;
  /** Resolves with its view at preCall; rejects where it fails before. */
  readonly begun: Promise<RunView>;
  /** Resolves when it has done something, or has ended before, then with why. */
  readonly acted: Promise<ErrorInfo | undefined>;
  /** Resolves when all is told and, where it was suspended, saved. */
  readonly ended: Promise<void>;
  /** Once it has begun. */
  readonly view: RunView | undefined;
  /** The runs of its sub-agents. */
  readonly nested: ReadonlySet<string>;
  readonly endedAt: number | undefined;
  readonly journal: Journal | undefined;
  readonly audience: Audience | undefined;
  cancel(reason: string): void;
  /** Asks for one last reasoning without tools. */
  interrupt(): void;
  /** To be called now and then: says to the record that it goes on. */
  beat(): void;
  /** Lets go of its events, once it has ended and nobody reads them. */
  forget(): void;
  /** Notes what has become of a suspended run. */
  note(what: Pick<RunView, 'resumedBy' | 'outcome' | 'reason'>): void;
}
