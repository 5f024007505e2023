import { request } from './call-api.ts';
import { type Frame, framesIn, textOf } from './sse-frames.ts';
import { token } from './token.ts';

/** What is done with a stream of events that is followed. */
export interface Following {
  /** A connection is open; what comes now follows on `lastId`, or begins anew. */
  opened?(): void;
  /** Some events, in order. */
  frames(frames: readonly Frame[]): void;
  /** The connection is gone, and is tried again. */
  lost?(): void;
  /** It is over: all is told, or the server refuses. */
  ended?(error?: string): void;
  /** Whether nothing more is to come when the stream ends. */
  isOver?(): boolean;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5_000;

/** Reads a stream of events and comes back to it, behind the last event that came, until it is stopped. */
export function follow(path: string, following: Following): () => void {
  const stop = new AbortController();
  void read();
  return () => stop.abort();

  async function read(): Promise<void> {
    let lastId: string | undefined;
    let wait = FIRST_WAIT;
    while (!stop.signal.aborted && token.value !== undefined) {
      try {
        const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
        const response = await request('GET', path, headers, undefined, stop.signal);
        if (response.status === 204) return following.ended?.();
        if (response.status === 400 && lastId !== undefined) {
          // A server that was killed may know less than it has told; what comes twice is left out by its reader.
          lastId = undefined;
          continue;
        }
        if (response.status >= 400 && response.status < 500 && response.status !== 429) {
          const { error } = await response.json().catch(() => ({ error: undefined }));
          return following.ended?.(error?.message ?? `The server answered ${response.status}.`);
        }
        if (response.ok && response.body) {
          following.opened?.();
          wait = FIRST_WAIT;
          for await (const frames of framesIn(textOf(response.body))) {
            if (stop.signal.aborted) return;
            lastId = frames.findLast(({ id }) => id !== undefined)?.id ?? lastId;
            following.frames(frames);
          }
          if (following.isOver?.()) return following.ended?.();
        }
      } catch {
        // The server has gone, or is not there yet.
      }
      if (stop.signal.aborted) return;
      following.lost?.();
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
  }
}
