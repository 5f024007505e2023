/** One server-sent event. `data` must be a single line, as JSON is. */
export function sseFrame(event: string, data: string, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

/** How often a stream without events shows that it is alive. */
export const HEARTBEAT_MS = 15_000;

/** A comment, which clients pass over. */
export const heartbeatFrame = ':\n\n';
