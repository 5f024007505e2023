import type { Observable } from 'rxjs';
import type { Answers, Snapshot } from '../../agent/suspend/snapshot.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import type { JsonObject } from '../../events/values/json-value.ts';

/** Whose run it is: it gets the hooks of that user in that scope. */
export interface RunOwner {
  readonly user: string;
  readonly scope?: string;
}

/** What is to be run. */
export interface RunRequest extends RunOwner {
  readonly prompt: string;
  /** Begins with the name of the user: nobody gets into the session of another one. */
  readonly sessionId: string;
  readonly metadata?: JsonObject;
  readonly maxIterations?: number;
}

/** Where runs come from. The first event is preCall, the last one postCall; the signal cancels, `interrupt$` asks for one last reasoning. */
export interface RunPorts {
  start(request: RunRequest, signal: AbortSignal, interrupt$: Observable<'graceful'>): Observable<SettledEvent>;
  /** May fail with `SNAPSHOT_INVALID` and `ANSWER_INVALID`, by throwing or in the Observable. */
  resume(
    snapshot: Snapshot,
    answers: Answers,
    owner: RunOwner,
    signal: AbortSignal,
    interrupt$: Observable<'graceful'>,
  ): Observable<SettledEvent>;
  /** The messages of a session as they may be shown: without secrets in prompts, if hooks of the owner redact. Default: as they are. */
  shown?(messages: readonly Message[], owner: RunOwner): Promise<readonly Message[]>;
}
