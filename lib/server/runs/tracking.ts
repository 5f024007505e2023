import type { Logger } from 'pino';
import type { Observable } from 'rxjs';
import type { EventOf, SettledEvent } from '../../events/hook-event.ts';
import type { Hook, TraceStep } from '../../pipeline/define/hook.ts';
import type { Recorder } from '../records/recorder.ts';
import type { RunLimits } from './run-limits.ts';
import type { RunOwner } from './run-ports.ts';
import type { RunView } from './run-view.ts';
import type { AddCost } from './view/run-prices.ts';

export interface Tracking {
  readonly owner: RunOwner;
  /** The session ID of the agent. */
  readonly session: string;
  readonly startedAt: number;
  /** The suspended run that this one resumes. */
  readonly resumes: RunView | undefined;
  readonly addCost: AddCost;
  readonly limits: RunLimits;
  readonly log: Logger | undefined;
  /** Creates the recorder of the run, after preCall. It calls `onTaken` if another process has taken over the run. */
  readonly record: (runId: string, onTaken: () => void) => Recorder;
  /** Whether other servers may take over the run. */
  readonly takeOver: boolean;
  /** Receives the trace steps of an event, if the run is traced. */
  readonly onTrace: (steps: readonly TraceStep[]) => void;
  /** Receives the view when it changes. */
  readonly onView: (view: RunView) => void;
  readonly events$: (
    signal: AbortSignal,
    interrupt$: Observable<'graceful'>,
    hooks: readonly Hook[],
  ) => Observable<SettledEvent>;
  /** Called with the last view of a run that another process has taken over. */
  readonly onTaken: (view: RunView) => void;
  /** Saves a suspended run before its postCall is sent. Returns the view with the pending calls; undefined if they are not answered here. */
  readonly save: (view: RunView, post: SettledEvent<EventOf<'postCall'>>) => Promise<RunView | undefined>;
}
