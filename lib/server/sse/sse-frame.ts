import type { SettledEvent } from '../../events/hook-event.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';

/** Returns one server-sent event. `data` must be a single line, such as JSON. */
export function sseFrame(event: string, data: string, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

/** Interval of heartbeats in a stream without events. */
export const HEARTBEAT_MS = 15_000;

/** A comment, which clients ignore. */
export const heartbeatFrame = ':\n\n';

/** Returns an event, preceded by its trace steps. The steps have no id, so clients cannot resume between the two. */
export function eventFrame(event: SettledEvent, id: string, steps: readonly TraceStep[] | undefined): string {
  const frame = sseFrame(event.type, JSON.stringify(event), id);
  if (!steps) return frame;
  const { run, seq } = event;
  return sseFrame('trace', JSON.stringify({ runId: run.runId, seq, steps })) + frame;
}
