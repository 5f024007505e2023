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
import { toolNameOption } from '../name-options.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { withHint } from '../with-hint.ts';

/** The options of `todo` with their defaults. */
export const todoOptionsSchema = z.strictObject({
  name: z.string().min(1).default('todo').describe('Name of the hook.'),
  toolName: toolNameOption('write_todos', 'Name of the tool.'),
  remindAfter: z
    .int()
    .positive()
    .default(5)
    .describe('Number of model requests without a change after which the model sees the list again.'),
  finishFirst: z
    .int()
    .nonnegative()
    .max(8)
    .default(0)
    .describe('How often per run an answer with open items is sent back (0: never).'),
});

/** The options of `todo` before defaults; all are optional. */
export type TodoOptions = z.input<typeof todoOptionsSchema>;

/** After prompt-hint and before plan-hint, which is the order for the model. */
const BEFORE_PLAN_HINT = 90;

const inputSchema = z.object({
  items: z
    .array(
      z.object({
        text: z.string().min(1).max(500).describe('The task.'),
        status: z.enum(['open', 'doing', 'done']).describe('State of the task.'),
      }),
    )
    .max(50)
    .describe('The complete list in order. It replaces the previous list.'),
});
type Items = z.output<typeof inputSchema>['items'];

const stateSchema = z.strictObject({
  items: inputSchema.shape.items,
  /** Whether the transcript was searched for it. */
  known: z.boolean(),
  /** The number of requests since it was written or shown. */
  since: z.int().nonnegative(),
  /** Whether the last request contained it. */
  shown: z.boolean(),
  /** The number of answers with open items. */
  early: z.int().nonnegative(),
});
type State = z.output<typeof stateSchema>;

/**
 * Adds a tool for a to-do list and reminds the model of it: after some requests without a change and, with `finishFirst`, if it answers
 * with open items. Reminders do not enter the transcript. The message that returns an answer does, like the answer.
 *
 * - Parallel calls: The last written list is valid.
 * - Sub-agents: Each has its own list.
 * - Retry: The same request has the same reminder.
 * - Suspend and resume: The list continues. The next run of a session reads it from its transcript.
 * - Cost: One more tool in each request, and the tokens of the reminders. `finishFirst` causes further model requests.
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
      'Keeps a to-do list. Use it for tasks of three or more steps: write the complete list first, and again each time that you start or finish an item.',
    inputSchema,
    permission: 'read',
    execute: ({ items }) => `Kept. ${summary(items)}`,
  });

  return defineHook({
    name,
    description: 'Gives the model a to-do list and reminds it.',
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
        return withHint(event, name, `${summary(items)}\n${lines(items)}\nUpdate the list with ${toolName}.`);
      },
      postReasoning(event, context) {
        if (!finishFirst || event.purpose === 'summary' || toolCallsOf(event.message).length > 0) return undefined;
        const cell = stateOf(context);
        const { items, early } = cell.get();
        if (early >= finishFirst || !items.some(isOpen)) return undefined;
        cell.update((state) => ({ ...state, early: early + 1 }));
        const text = `The list has open items:\n${lines(items.filter(isOpen))}\nContinue, or remove items that are no longer needed with ${toolName}.`;
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

/** Returns the last written list of this run or an earlier one. */
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

/** @internal The catalogue entry of `todo`. */
export const todoEntry = defineCatalogueEntry({
  name: 'todo',
  description: 'Gives the model a to-do list and reminds it.',
  events: ['preReasoning', 'postReasoning', 'postActing'],
  optionsSchema: todoOptionsSchema,
  example: { finishFirst: 1 },
  weakens: weakensUnless({ finishFirst: 'mayRise' }, ['toolName', 'remindAfter']),
  create: todo,
});
