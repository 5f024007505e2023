import type { Observable } from 'rxjs';
import type { JournalItem } from '../../agent/recover/read-journal.ts';
import type { Answers, Snapshot } from '../../agent/suspend/snapshot.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { refuse } from '../http/refuse.ts';

/** The owner of a run. The run gets the hooks of this user in this scope. */
export interface RunOwner {
  readonly user: string;
  readonly scope?: string;
}

/** Returns the owner of a run in a scope, if it has one. */
export function ownerOf(user: string, scope: string | undefined): RunOwner {
  return { user, ...(scope !== undefined && { scope }) };
}

/** A run to start. */
export interface RunRequest extends RunOwner {
  /** Empty if the last turn is repeated. */
  readonly prompt: string;
  /** Whether the run removes the last answer of the session and runs its last prompt again. */
  readonly regenerate?: boolean;
  /** Starts with the name of the user, so that users cannot open each other's sessions. */
  readonly sessionId: string;
  readonly metadata?: JsonObject;
  readonly maxIterations?: number;
}

/** A run whose server has ended. */
export interface RecoveredRun {
  readonly journal: readonly JournalItem[];
  readonly writeAhead: boolean;
  readonly owner: RunOwner;
  readonly sessionId: string;
  /** How often the run was taken over, this time and failed attempts included. */
  readonly takeOvers: number;
  /** The limit of the request for the run. */
  readonly maxIterations?: number;
}

/**
 * Starts and resumes runs. The first event is preCall, the last postCall. The signal cancels; `interrupt$` requests one last model step. The run gets
 * `hooks` besides its own ones. They hold it while it is paused.
 */
export interface RunPorts {
  start(
    request: RunRequest,
    signal: AbortSignal,
    interrupt$: Observable<'graceful'>,
    hooks: readonly Hook[],
  ): Observable<SettledEvent>;
  /** Resumes a run. Throws or emits `SNAPSHOT_INVALID` and `ANSWER_INVALID`. */
  resume(
    snapshot: Snapshot,
    answers: Answers,
    owner: RunOwner,
    signal: AbortSignal,
    interrupt$: Observable<'graceful'>,
    hooks: readonly Hook[],
  ): Observable<SettledEvent>;
  /** Continues a run of another server. Emits `RECOVERY_INVALID`. */
  recover?(
    run: RecoveredRun,
    signal: AbortSignal,
    interrupt$: Observable<'graceful'>,
    hooks: readonly Hook[],
  ): Observable<SettledEvent>;
  /** Redacts the messages of a session for display, if hooks of the owner redact (default: unchanged). */
  shown?(messages: readonly Message[], owner: RunOwner): Promise<readonly Message[]>;
}

function unsupported(): never {
  throw refuse(409, 'This server starts no runs. It shows the runs of its program.');
}

/** The ports of a server that only watches runs. */
export const noPorts = { start: unsupported, resume: unsupported, recover: unsupported };
