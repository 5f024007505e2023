import { describeEvent } from '../model/describe-event.ts';
import type { EventRow } from '../model/event-rows.ts';
import type { RunModel } from '../model/run-model.ts';

/**
 * Returns the rows of the list that match a filter. All of its words must match. A prefix `type:`, `hook:`, `tool:`, `agent:` or `effect:` selects the field
 * of a word; other words match the text of the row.
 */
export function shownRows(model: RunModel, filter: string, onlyEffects: boolean): readonly number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const { list } = model.rows;
  const all = list.map((_, row) => row);
  if (words.length === 0 && !onlyEffects) return all;
  return all.filter((row) => {
    const own = list[row]!;
    return (!onlyEffects || own.mark > 0) && words.every((word) => matches(model, own, word));
  });
}

function matches(model: RunModel, { first }: EventRow, word: string): boolean {
  const event = model.events[first]!;
  const steps = model.stepsOf(first);
  const [, where, what = ''] = /^(type|hook|tool|agent|effect):(.*)$/.exec(word) ?? [];
  const has = (text: string | undefined) => text?.toLowerCase().includes(what) ?? false;
  if (where === 'type') return has(event.type);
  if (where === 'hook') return steps.some(({ hook, effect }) => effect !== 'skipped' && has(hook));
  if (where === 'effect') return steps.some(({ effect }) => has(effect));
  if (where === 'agent') return has(event.run.agent);
  if (where === 'tool') return 'toolCall' in event && has(event.toolCall?.name);
  return `${event.type} ${describeEvent(event)}`.toLowerCase().includes(word);
}
