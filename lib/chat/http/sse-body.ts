import type { Observable, Subscription } from 'rxjs';

/** Options of a body with server-sent events. */
export interface SseBodyOptions {
  /** Approximate maximum of unread bytes before a client is disconnected (default: 8 MiB). */
  readonly maxLag?: number;
  /** Whether the current frame is older than the connection. Such frames do not count as lag. */
  readonly replaying?: () => boolean;
  /** Milliseconds between heartbeats (default: 15,000). */
  readonly heartbeatMs?: number;
}

/** Returns frames of server-sent events as a body. Frames that arrive together are sent together. A client that does not read is disconnected. */
export function sseBody(
  frames$: Observable<string>,
  { maxLag = 8 * 2 ** 20, replaying, heartbeatMs = 15_000 }: SseBodyOptions = {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let subscription: Subscription | undefined;
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let waiting = '';
  let over = false;
  let replayed = 0;

  const stop = (): void => {
    over = true;
    waiting = '';
    clearInterval(heartbeat);
    subscription?.unsubscribe();
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const flush = (): void => {
          if (over || waiting === '') return;
          controller.enqueue(encoder.encode(waiting));
          waiting = '';
        };
        const send = (frame: string): void => {
          if (over) return;
          if (waiting === '') queueMicrotask(flush);
          waiting += frame;
          if (replaying?.()) replayed += encoder.encode(frame).byteLength;
          if (waiting.length - (controller.desiredSize ?? 0) <= maxLag + replayed) return;
          stop();
          controller.error(new Error('The client does not read its stream.'));
        };
        heartbeat = setInterval(() => send(': \n\n'), heartbeatMs);
        subscription = frames$.subscribe({
          next: send,
          error: (thrown) => {
            if (over) return;
            stop();
            controller.error(thrown);
          },
          complete: () => {
            if (over) return;
            flush();
            stop();
            controller.close();
          },
        });
        // The source may have ended during the subscription.
        if (over) stop();
      },
      cancel: stop,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
}
