import type { Message } from '../../events/parts/message.ts';
import type { TranscriptStore } from '../../store/transcripts/transcript-store.ts';

/** Stores conversations in memory, synchronously. `sessions` contains them. */
export function memoryTranscript(): TranscriptStore & { readonly sessions: ReadonlyMap<string, readonly Message[]> } {
  const sessions = new Map<string, Message[]>();
  const of = (sessionId: string) => sessions.get(sessionId) ?? [];
  return {
    sessions,
    load: (sessionId) => [...of(sessionId)],
    append(sessionId, messages) {
      const known = sessions.get(sessionId);
      // In place, because copying a long conversation at each step is slow.
      if (known) for (const message of messages) known.push(message);
      else sessions.set(sessionId, [...messages]);
    },
    truncate: (sessionId, length) => void sessions.set(sessionId, of(sessionId).slice(0, length)),
  };
}
