import type { Observable, Subscription } from 'rxjs';

/** How a stream is sent. */
export interface SseBodyOptions {
  /** Bytes, about, that a client may leave untaken before it is hung up on; default 8 MiB. */
  readonly maxLag?: number;
  /** Whether what is being sent was there before the client came: nobody can have taken it yet, so it is no lag. */
  readonly replaying?: () => boolean;
  /** Milliseconds between signs of life; default 15,000. */
  readonly heartbeatMs?: number;
}

/** Frames of server-sent events as a body. What comes at once is sent at once; a client that takes nothing is hung up on. */
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
          controller.error(new Error('The client does not take what it is sent.'));
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
        // It may have ended while it was subscribed to.
        if (over) stop();
      },
      cancel: stop,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
}
