import { z } from 'zod';
import { retry } from '../../events/decisions/retry.ts';
import type { Message } from '../../events/parts/message.ts';
import { toolCallsOf, userMessage } from '../../events/parts/messages.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { defineState, type StateCell } from '../../pipeline/define/state.ts';
import { defineTool } from '../../pipeline/define/tool.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { withHint } from '../with-hint.ts';
import { type TodoOptions, todoOptionsSchema } from './todo-options.ts';

/** Behind prompt-hint, before plan-hint: that is the order in which the model reads them. */
const BEFORE_PLAN_HINT = 90;

const inputSchema = z.object({
  items: z
    .array(
      z.object({
        text: z.string().min(1).max(500).describe('What is to be done.'),
        status: z.enum(['open', 'doing', 'done']).describe('How far it is.'),
      }),
    )
    .max(50)
    .describe('The whole list, in the order in which it is worked off; it replaces the one before.'),
});
type Items = z.output<typeof inputSchema>['items'];

const stateSchema = z.strictObject({
  items: inputSchema.shape.items,
  /** Whether it was looked for in the transcript. */
  known: z.boolean(),
  /** Questions since it was written or shown. */
  since: z.int().nonnegative(),
  /** Whether the last question showed it. */
  shown: z.boolean(),
  /** How often an answer was too early. */
  early: z.int().nonnegative(),
});
type State = z.output<typeof stateSchema>;

/**
 * Gives the model a tool for a list of what is to be done, and reminds it of that: after some questions without a change, and, where that is
 * wanted, when it answers with items open. The former are not remembered; what sends an answer back is, like the answer.
 *
 * Calls at once: the list that is written last counts. Sub-agents: each has a list of its own. Retry: the same question has the same
 * reminder. Suspend and
 * resume: the list goes on; the next run of a session finds it in its transcript.
 */
export function todo(options: TodoOptions = {}): Hook {
  const { name, toolName, remindAfter, finishFirst } = parseHookOptions('todo', todoOptionsSchema, options);
  const key = defineState<State>({
    name: `${name}.list`,
    schema: stateSchema,
    initial: { items: [], known: false, since: 0, shown: false, early: 0 },
  });

  function stateOf(context: HookContext): StateCell<State> {
    const cell = context.state(key);
    if (!cell.get().known)
      cell.update((state) => ({ ...state, known: true, items: lastList(context.transcript, toolName) }));
    return cell;
  }

  const tool = defineTool({
    name: toolName,
    description:
      'Keeps a list of what is to be done in this task. Use it for tasks of three steps or more: write the whole list first, and again each time that something is begun or done.',
    inputSchema,
    permission: 'read',
    execute: ({ items }) => `Kept. ${summary(items)}`,
  });

  return defineHook({
    name,
    description: 'Gives the model a list of what is to be done, and reminds it.',
    priority: BEFORE_PLAN_HINT,
    tools: [tool],
    on: {
      preReasoning(event, context) {
        if (event.purpose === 'summary' || event.decision) return undefined;
        const cell = stateOf(context);
        const { items, since, shown } = cell.get();
        if (!items.some(isOpen)) return undefined;
        const isAgain = event.attempt > 1;
        const isDue = isAgain ? shown : since >= remindAfter;
        if (!isAgain) cell.update((state) => ({ ...state, since: isDue ? 0 : since + 1, shown: isDue }));
        if (!isDue) return undefined;
        return withHint(event, name, `${summary(items)}\n${lines(items)}\nKeep the list up to date with ${toolName}.`);
      },
      postReasoning(event, context) {
        if (!finishFirst || event.purpose === 'summary' || toolCallsOf(event.message).length > 0) return undefined;
        const cell = stateOf(context);
        const { items, early } = cell.get();
        if (early >= finishFirst || !items.some(isOpen)) return undefined;
        cell.update((state) => ({ ...state, early: early + 1 }));
        const text = `Not everything on the list is done:\n${lines(items.filter(isOpen))}\nGo on, or take what is no longer needed off the list with ${toolName}.`;
        return retry(event, [userMessage(text)]);
      },
      postActing(event, context) {
        if (event.toolCall.name !== toolName || event.outcome !== 'executed') return;
        const parsed = inputSchema.safeParse(event.toolCall.input);
        if (parsed.success) stateOf(context).update((state) => ({ ...state, items: parsed.data.items, since: 0 }));
      },
    },
  });
}

const isOpen = ({ status }: Items[number]): boolean => status !== 'done';
const lines = (items: Items): string =>
  items.map(({ text, status }) => `- [${{ open: ' ', doing: '>', done: 'x' }[status]}] ${text}`).join('\n');

function summary(items: Items): string {
  const open = items.filter(isOpen).length;
  return `${open} of ${items.length} items on the list ${open === 1 ? 'is' : 'are'} not done.`;
}

/** The list as it was written last, in this run or one before it. */
function lastList(transcript: readonly Message[], toolName: string): Items {
  const failed = new Set<string>();
  for (const { parts } of transcript.toReversed())
    for (const part of parts.toReversed()) {
      if (part.type === 'toolResult' && part.result.isError) failed.add(part.toolCallId);
      if (part.type !== 'toolCall' || part.toolCall.name !== toolName || failed.has(part.toolCall.id)) continue;
      const parsed = inputSchema.safeParse(part.toolCall.input as JsonValue);
      if (parsed.success) return parsed.data.items;
    }
  return [];
}

/** The catalogue entry of `todo`. */
export const todoEntry = defineCatalogueEntry({
  name: 'todo',
  description: 'Gives the model a list of what is to be done, and reminds it.',
  events: ['preReasoning', 'postReasoning', 'postActing'],
  approves: false,
  optionsSchema: todoOptionsSchema,
  example: { finishFirst: 1 },
  weakens: weakensUnless({ toolName: 'free', remindAfter: 'free', finishFirst: 'mayRise' }),
  create: todo,
});
