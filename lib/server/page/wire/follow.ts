import { request } from './call-api.ts';
import { type Frame, framesIn, textOf } from './sse-frames.ts';
import { token } from './token.ts';

/** The handlers of a followed event stream. */
export interface Following {
  /** The connection is open; the next events follow `lastId`, or begin again. */
  opened?(): void;
  /** Receives some events, in order. */
  frames(frames: readonly Frame[]): void;
  /** The connection was lost and will be retried. */
  lost?(): void;
  /** The stream is complete, or the server rejects it. */
  ended?(error?: string): void;
  /** Returns whether the stream is complete when it ends. */
  isOver?(): boolean;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5_000;

/** Reads an event stream and reconnects after the last received event, until it is stopped. */
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
          // A server that was killed may have fewer events than it has sent; its reader skips those that arrive twice.
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
        // The server has ended or has not started yet.
      }
      if (stop.signal.aborted) return;
      following.lost?.();
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
  }
}
