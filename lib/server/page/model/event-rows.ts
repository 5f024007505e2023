import type { SettledEvent } from '../../../events/hook-event.ts';

/** A row of the list of events: one event, or the chunks of one block. */
export interface EventRow {
  readonly first: number;
  last: number;
  count: number;
  /** The number of characters of its chunks. */
  characters: number;
  /** The place in `marks` of the most important of them. */
  mark: number;
}

export interface EventRows {
  readonly list: readonly EventRow[];
  add(event: SettledEvent, index: number, node: number, mark: number): void;
  rowOf(index: number): number;
}

/** Creates the rows. Chunks of one block share a row, even if those of other calls are between them. */
export function createEventRows(): EventRows {
  const list: EventRow[] = [];
  const rowAt: number[] = [];
  const open = new Map<string, number>();
  /** The last event of each run: the next chunk usually continues it. */
  const recent: { readonly event: SettledEvent; readonly row: number }[] = [];
  return {
    list,
    rowOf: (index) => rowAt[index] ?? 0,
    add(event, index, node, mark) {
      const text = chunkTextOf(event);
      const before = recent[node];
      const goesOn = before !== undefined && isOneBlock(before.event, event);
      const key = goesOn ? undefined : blockOf(event, node);
      const known = goesOn ? before.row : key === undefined ? undefined : open.get(key);
      recent[node] = { event, row: known ?? list.length };
      const row = known === undefined ? undefined : list[known];
      if (row && known !== undefined) {
        row.last = index;
        row.count += 1;
        row.characters += text.length;
        row.mark = Math.max(row.mark, mark);
        rowAt.push(known);
      } else {
        rowAt.push(list.length);
        if (key !== undefined) open.set(key, list.length);
        list.push({ first: index, last: index, count: 1, characters: text.length, mark });
      }
    },
  };
}

/** Returns the text of a chunk; nothing for other events. */
export function chunkTextOf(event: SettledEvent): string {
  return event.type === 'reasoningChunk' ? event.delta : event.type === 'actingChunk' ? event.content : '';
}

function isOneBlock(a: SettledEvent, b: SettledEvent): boolean {
  if (a.type === 'reasoningChunk' && b.type === 'reasoningChunk') {
    const same = a.iteration === b.iteration && a.attempt === b.attempt && a.block === b.block;
    return same && a.part === b.part && a.toolCallId === b.toolCallId;
  }
  return (
    a.type === 'actingChunk' && b.type === 'actingChunk' && a.attempt === b.attempt && a.toolCall.id === b.toolCall.id
  );
}

function blockOf(event: SettledEvent, node: number): string | undefined {
  if (event.type === 'reasoningChunk')
    return `${node} ${event.iteration} ${event.attempt} ${event.block} ${event.part} ${event.toolCallId ?? ''}`;
  return event.type === 'actingChunk' ? `${node} ${event.attempt} ${event.toolCall.id}` : undefined;
}
