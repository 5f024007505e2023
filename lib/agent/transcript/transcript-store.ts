import type { Observable } from 'rxjs';
import type { Message } from '../../events/parts/message.ts';

type Later<T> = T | Promise<T> | Observable<T>;

/**
 * Where conversations are kept, by session. The agent calls these one after the other for a session, never two at a time. Anything
 * thrown fails the run.
 */
export interface TranscriptStore {
  /** All messages of a session, oldest first; none for a session it does not know. */
  load(sessionId: string): Later<readonly Message[]>;
  append(sessionId: string, messages: readonly Message[]): Later<void>;
  /** Forgets all but the first `length` messages. */
  truncate(sessionId: string, length: number): Later<void>;
}
