import type { Message } from '../events/message.ts';
import type { TranscriptStore } from './transcript-store.ts';

/** Keeps conversations in memory, synchronously. `sessions` shows what it holds. */
export function memoryTranscript(): TranscriptStore & { readonly sessions: ReadonlyMap<string, readonly Message[]> } {
  const sessions = new Map<string, readonly Message[]>();
  const of = (sessionId: string) => sessions.get(sessionId) ?? [];
  return {
    sessions,
    load: of,
    append: (sessionId, messages) => void sessions.set(sessionId, [...of(sessionId), ...messages]),
    truncate: (sessionId, length) => void sessions.set(sessionId, of(sessionId).slice(0, length)),
  };
}
