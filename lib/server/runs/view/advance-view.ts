import { askersOf } from '../../../events/decisions/ask.ts';
import type { SettledEvent } from '../../../events/hook-event.ts';
import type { Message } from '../../../events/parts/message.ts';
import { isPrompt } from '../../../events/parts/messages.ts';
import { withoutUndefined } from '../../../events/values/without-undefined.ts';
import { type RunView, TITLE_LENGTH } from '../run-view.ts';

/** Returns the view of a run after one more event of its own. `advanceSums` adds its sums. If nothing changed, it is the same object. */
export function advanceView(view: RunView, event: SettledEvent): RunView {
  const decided = askersOf(event.decision ?? {}).reduce(withDecider, view);
  if (event.type === 'preCall') {
    const title = titleOf(event.messages);
    // A resumed run has the title of the first one.
    return title === undefined || view.title !== undefined ? decided : { ...decided, title };
  }
  if (event.type === 'preReasoning') {
    const { model: _, ...rest } = decided;
    const asking = {
      ...rest,
      iteration: event.iteration,
      doing: { what: 'reasoning' as const, since: timeOf(event) },
    };
    // Of a repeated or resumed turn, which has no new prompt.
    const title = view.title ?? titleOf(event.messages);
    return {
      ...asking,
      ...withoutUndefined({ title, model: event.model }),
    };
  }
  if (event.type === 'preActing') return withTool(decided, event.toolCall.name, timeOf(event));
  if (event.type === 'postActing') return withoutTool(decided, event.toolCall.name);
  return event.type === 'postReasoning' || event.type === 'postCall' ? idle(decided) : decided;
}

const MOST_DECIDERS = 20;

function withDecider(view: RunView, by: string): RunView {
  const { decidedBy = [] } = view;
  if (decidedBy.includes(by) || decidedBy.length >= MOST_DECIDERS) return view;
  return { ...view, decidedBy: [...decidedBy, by] };
}

function withTool(view: RunView, tool: string, since: string): RunView {
  const tools = [...(view.doing?.tools ?? []), tool];
  return { ...view, doing: { what: 'acting', tools, since: (view.doing?.tools && view.doing.since) ?? since } };
}

function withoutTool(view: RunView, tool: string): RunView {
  const { tools = [], since = '' } = view.doing ?? {};
  const left = tools.toSpliced(tools.indexOf(tool), tools.includes(tool) ? 1 : 0);
  return left.length === 0 ? idle(view) : { ...view, doing: { what: 'acting', tools: left, since } };
}

function idle(view: RunView): RunView {
  if (view.doing === undefined) return view;
  const { doing, ...rest } = view;
  return rest;
}

function timeOf({ time }: SettledEvent): string {
  return new Date(time).toISOString();
}

function titleOf(messages: readonly Message[]): string | undefined {
  const prompt = messages.findLast(isPrompt);
  const text = prompt?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ');
  const line = text?.trim().replace(/\s+/g, ' ');
  if (!line) return undefined;
  return line.length > TITLE_LENGTH ? `${[...line].slice(0, TITLE_LENGTH - 1).join('')}…` : line;
}
