/** Headers of a stream of server-sent events. They disable caching, and buffering by proxies. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;
