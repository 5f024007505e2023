import type { SettledEvent } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import { addUsage } from '../../events/parts/usage.ts';
import { type RunView, TITLE_LENGTH } from './run-view.ts';

/** The view of a run after one more of its own events; the same object where nothing has changed. */
export function advanceView(view: RunView, event: SettledEvent): RunView {
  if (event.type === 'preCall') {
    const title = titleOf(event.messages);
    return title === undefined ? view : { ...view, title };
  }
  if (event.type === 'preReasoning') {
    return { ...view, iteration: event.iteration, ...(event.model !== undefined && { model: event.model }) };
  }
  if (event.type === 'postReasoning') return withUsage(view, addUsage(view.usage, event.usage));
  // The total, that of sub-agents included.
  return event.type === 'postCall' ? withUsage(view, event.usage ?? view.usage) : view;
}

function withUsage(view: RunView, usage: RunView['usage']): RunView {
  return usage ? { ...view, usage } : view;
}

function titleOf(messages: readonly Message[]): string | undefined {
  const said = messages.findLast(({ role }) => role === 'user');
  const text = said?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ');
  const line = text?.trim().replace(/\s+/g, ' ');
  if (!line) return undefined;
  return line.length > TITLE_LENGTH ? `${[...line].slice(0, TITLE_LENGTH - 1).join('')}…` : line;
}
