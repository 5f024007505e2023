import { z } from 'zod';
import { modify } from '../../events/decisions/modify.ts';
import type { Message } from '../../events/parts/message.ts';
import { textMessage } from '../../events/parts/messages.ts';
import { freezeLasting } from '../../events/values/deep-freeze.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { names } from '../name-options.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';

const hintSchema = z.strictObject({
  text: z.string().regex(/\S/, 'must not be empty').describe('Text of the instruction.'),
  place: z
    .enum(['begin', 'end'])
    .default('begin')
    .describe('begin: a system message after the existing ones. end: the last message, in the role of the user.'),
  agents: names.exactOptional().describe('Agents that the hook applies to; * and ? are wildcards (default: all).'),
  firstOnly: z.boolean().default(false).describe('Adds the instruction only to the first model request of a run.'),
});

/** The options of `promptHint` with their defaults. */
export const promptHintOptionsSchema = z.strictObject({
  name: z.string().min(1).default('prompt-hint').describe('Name of the hook.'),
  hints: z.array(hintSchema).min(1, 'must contain at least one hint').describe('Instructions in order.'),
});

/** The options of `promptHint` before defaults. */
export type PromptHintOptions = z.input<typeof promptHintOptionsSchema>;

/**
 * Adds instructions to each model request. They are ephemeral: they are in no transcript, no later request and no request of another
 * agent.
 *
 * - Parallel calls: They do not concern this hook.
 * - Sub-agents: They get the instructions, too, unless `agents` excludes them.
 * - Retry: Each attempt gets the instructions.
 * - Suspend and resume: Nothing is kept.
 * - Cost: The tokens of the instructions in each request.
 */
export function promptHint(options: PromptHintOptions): Hook {
  const { name, hints } = parseHookOptions('prompt-hint', promptHintOptionsSchema, options);
  // The same message in each request, because the hooks behind this one examine every new message.
  const all = hints.map(({ text, place, agents = ['*'], firstOnly }) => ({
    message: freezeLasting<Message>({ ...textMessage(place === 'begin' ? 'system' : 'user', text), origin: name }),
    place,
    firstOnly,
    isFor: createMatcher(agents),
  }));
  return defineHook({
    name,
    description: 'Adds instructions to model requests.',
    priority: HookPriority.PREPROCESSING,
    on: {
      preReasoning(event) {
        const mine = all.filter(
          ({ isFor, firstOnly }) => isFor(event.run.agent) && (!firstOnly || event.iteration <= 1),
        );
        if (mine.length === 0) return undefined;
        const made = (at: 'begin' | 'end'): Message[] =>
          mine.filter(({ place }) => place === at).map(({ message }) => message);
        // V8 is slow to slice and to search a frozen list.
        const messages = [...event.messages, ...made('end')];
        const first = messages.findIndex(({ role }) => role !== 'system');
        messages.splice(first < 0 ? messages.length : first, 0, ...made('begin'));
        return modify(event, { messages });
      },
    },
  });
}

/** @internal The catalogue entry of `promptHint`. */
export const promptHintEntry = defineCatalogueEntry({
  name: 'prompt-hint',
  description: 'Adds instructions to model requests.',
  events: ['preReasoning'],
  optionsSchema: promptHintOptionsSchema,
  example: { hints: [{ text: 'Think before you call a tool.' }] },
  weakens: weakensUnless({ hints: 'mayGrow' }),
  create: promptHint,
});
