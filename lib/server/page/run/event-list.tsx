import { count, describeEvent } from '../model/describe-event.ts';
import { marks } from '../model/mark-of.ts';
import type { RunModel } from '../model/run-model.ts';
import { showMs } from '../ui/format.ts';
import { MarkIcon } from '../ui/icons.tsx';
import { Text } from '../ui/text.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';

/** The content and the callbacks of the list of events. */
export interface EventListProps {
  readonly model: RunModel;
  /** Places in `model.rows.list`. */
  readonly rows: readonly number[];
  /** The place of the selected row in `rows`; -1: none. */
  readonly at: number;
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  readonly onlyEffects: boolean;
  readonly setOnlyEffects: (only: boolean) => void;
  readonly follow: boolean;
  readonly onSelect: (row: number) => void;
}

/** The events of a run in order, with the chunks of a block in one row. */
export function EventList({
  model,
  rows,
  at,
  filter,
  setFilter,
  onlyEffects,
  setOnlyEffects,
  follow,
  onSelect,
}: EventListProps) {
  return (
    <section class="event-list" aria-label="Events">
      <div class="list-bar">
        <input
          type="search"
          data-filter
          placeholder="Filter, e.g. hook:guard or tool:bash"
          aria-label="Filter events"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <button
          type="button"
          class="toggle"
          aria-pressed={onlyEffects}
          onClick={() => setOnlyEffects(!onlyEffects)}
          title="Only events with an effect (x)"
        >
          Effects
        </button>
      </div>
      {rows.length === 0 ? (
        <p class="empty-list">No event matches.</p>
      ) : (
        <VirtualList
          count={rows.length}
          rowHeight={30}
          selected={at}
          label="Events"
          follow={follow && filter === ''}
          onSelect={(place) => onSelect(rows[place]!)}
          row={(place) => <Row model={model} row={rows[place]!} />}
        />
      )}
    </section>
  );
}

function Row({ model, row }: { readonly model: RunModel; readonly row: number }) {
  const { first, characters, mark: most } = model.rows.list[row]!;
  const event = model.events[first]!;
  const mark = marks[most]!;
  const depth = model.nodes[model.node.at(first)]?.depth ?? 0;
  const isChunks = event.type === 'reasoningChunk' || event.type === 'actingChunk';
  return (
    <div class="event-row" style={{ paddingLeft: `${depth * 14}px` }}>
      <MarkIcon of={mark} />
      <span class="event-type">
        {event.type}
        <span class="read-out"> {mark}</span>
      </span>
      <span class="event-what">
        {isChunks && <span class="faint">{count(characters, 'character')} · </span>}
        <Text of={describeEvent(event).slice(0, 160)} />
      </span>
      <span class="event-time">{showMs(event.time - model.events[0]!.time)}</span>
    </div>
  );
}
