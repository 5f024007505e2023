/** One server-sent event. `data` must be a single line, as JSON is. */
export function sseFrame(event: string, data: string, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}
