import type { Observable } from 'rxjs';
import type { Message } from '../../events/parts/message.ts';

type Later<T> = T | Promise<T> | Observable<T>;

/** Stores conversations by session. The agent calls these methods one at a time for a session. If a method throws, the run fails. */
export interface TranscriptStore {
  /** Returns all messages of a session, oldest first. Returns an empty list for an unknown session. */
  load(sessionId: string): Later<readonly Message[]>;
  /**
   * Called before the first run of a new session, whose ID nobody else knows. A store that other servers share may keep such a session by itself while
   * the others cannot be reached.
   */
  begin?(sessionId: string): void;
  append(sessionId: string, messages: readonly Message[]): Later<void>;
  /** Removes all but the first `length` messages. */
  truncate(sessionId: string, length: number): Later<void>;
  /**
   * Waits until no other process continues the session. Emits once, with the function that ends the turn. Unsubscribing ends the wait. Without this
   * method, only runs of the same process queue.
   */
  turn?(sessionId: string): Observable<() => void>;
}
