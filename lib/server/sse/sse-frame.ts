import type { SettledEvent } from '../../events/hook-event.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';

/** One server-sent event. `data` must be a single line, as JSON is. */
export function sseFrame(event: string, data: string, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

/** How often a stream without events shows that it is alive. */
export const HEARTBEAT_MS = 15_000;

/** A comment, which clients pass over. */
export const heartbeatFrame = ':\n\n';

/** An event, with what hooks did to it before it: that has no id, so that nobody comes back between the two. */
export function eventFrame(event: SettledEvent, id: string, steps: readonly TraceStep[] | undefined): string {
  const frame = sseFrame(event.type, JSON.stringify(event), id);
  if (!steps) return frame;
  const { run, seq } = event;
  return sseFrame('trace', JSON.stringify({ runId: run.runId, seq, steps })) + frame;
}
