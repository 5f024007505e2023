/** Of an answer that is a stream of server-sent events: nobody keeps it, and no proxy holds it back. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;
