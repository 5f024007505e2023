import type { EventOf } from '../events/hook-event.ts';
import type { ToolResult } from '../events/parts/tool-result.ts';
import type { ToolItem } from '../pipeline/define/tool.ts';
import type { TimedOutput } from './timed-output.ts';

/** Reads what the tools of a run returned. */
export class OutputReader {
  /** By ID of the call, one for each attempt. */
  readonly outputs = new Map<string, TimedOutput<ToolItem>[]>();
  /** Whether calls that write ran beside others. */
  overlapping = false;
  /** Calls that have begun, with their time and chunks. */
  readonly #running = new Map<string, { begun: number; items: { at: number; item: string }[] }>();

  begin({ toolCall: { id }, permission, decision, time = 0 }: EventOf<'preActing'>): void {
    // A suspended call does not run.
    if (decision?.action === 'suspend') return;
    if (this.#running.size > 0 && permission !== 'read') this.overlapping = true;
    this.#running.set(id, { begun: time, items: [] });
  }

  chunk({ toolCall: { id }, content, last, time = 0 }: EventOf<'actingChunk'>): void {
    if (!last || content !== '') this.#running.get(id)?.items.push({ at: time, item: content });
  }

  /** `result` returns what the tool returned, before any hook. */
  settle({ toolCall: { id }, outcome, time = 0 }: EventOf<'postActing'>, result: () => ToolResult): void {
    const running = this.#running.get(id);
    this.#running.delete(id);
    if (outcome !== 'executed' || !running) return;
    const end = time - running.begun;
    const items = running.items.map(({ at, item }) => ({ at: at - running.begun, item }));
    this.#add(id, { items: [...items, { at: end, item: result() }], end });
  }

  fail(id: string, { error, time = 0 }: EventOf<'error'>): void {
    const { begun, items } = this.#running.get(id) ?? { begun: time, items: [] };
    const timed = items.map(({ at, item }) => ({ at: at - begun, item }));
    this.#add(id, { items: timed, end: time - begun, error });
  }

  #add(id: string, output: TimedOutput<ToolItem>): void {
    this.outputs.set(id, [...(this.outputs.get(id) ?? []), output]);
  }
}
