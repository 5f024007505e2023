import { z } from 'zod';
import type { Message } from '../../events/parts/message.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { withHint } from '../with-hint.ts';

const text = z.string().regex(/\S/, 'must not be empty');
const hint = (usual: string) => z.union([z.literal(false), text]).default(usual);

/** The options of `planHint` with their defaults. */
export const planHintOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('plan-hint').describe('Name of the hook.'),
    agents: z
      .array(z.string().min(1))
      .min(1)
      .exactOptional()
      .describe('For these agents; * and ? are wildcards. Default: for all.'),
    begin: hint(
      'Before you call a tool, say in a few lines how you will go about this. A question that needs one step or none needs no plan.',
    ).describe('What the model is told with the first question of a run. false: nothing.'),
    progress: hint(
      'Compare what you have done with your plan. Say what is left, and change the plan where it no longer fits.',
    ).describe('What it is told from time to time. false: nothing.'),
    every: z.int().min(2).default(6).describe('After so many questions each time.'),
    afterErrors: hint('A call has failed. Look at why before you repeat it, and change your plan if need be.').describe(
      'What it is told when a call of the step before has failed. false: nothing.',
    ),
  })
  .refine(({ begin, progress, afterErrors }) => begin || progress || afterErrors, {
    message: 'needs begin, progress or afterErrors; with none of them it does nothing',
  });

/** The options of `planHint` as they are given; all may be left out. */
export type PlanHintOptions = z.input<typeof planHintOptionsSchema>;

/**
 * Has the model make a plan before it acts, compare with it from time to time, and look at it again when a call has failed. The hints are
 * the last message of a question, and are not remembered. Questions without tools get none.
 *
 * Calls at once: one that has failed is enough. Sub-agents get hints too, unless `agents` says otherwise. Retry: the same question gets the
 * same hint. Suspend and resume: nothing is kept.
 */
export function planHint(options: PlanHintOptions = {}): Hook {
  const settings = parseHookOptions('plan-hint', planHintOptionsSchema, options);
  const { name, agents, begin, progress, every, afterErrors } = settings;
  return defineHook({
    name,
    description: 'Has the model plan before it acts, and look at its plan again.',
    priority: HookPriority.BUSINESS,
    ...(agents && { match: { agents } }),
    on: {
      preReasoning(event) {
        const { iteration, messages, tools, purpose } = event;
        if (event.decision || tools.length === 0 || purpose === 'summary') return undefined;
        const given =
          iteration <= 1 ? begin : (hasFailed(messages) && afterErrors) || (iteration % every === 0 && progress);
        return given ? withHint(event, name, given) : undefined;
      },
    },
  });
}

/** Whether a call of the last step has failed. */
function hasFailed(messages: readonly Message[]): boolean {
  const own = messages.filter(({ origin }) => origin === undefined);
  const last = own.findLastIndex(({ role }) => role === 'assistant');
  return own
    .slice(last + 1)
    .some(({ parts }) => parts.some((part) => part.type === 'toolResult' && part.result.isError));
}

/** The catalogue entry of `planHint`. */
export const planHintEntry = defineCatalogueEntry({
  name: 'plan-hint',
  description: 'Has the model plan before it acts, and look at its plan again.',
  events: ['preReasoning'],
  approves: false,
  optionsSchema: planHintOptionsSchema,
  example: { every: 4 },
  weakens: weakensUnless({ agents: 'free', begin: 'free', progress: 'free', every: 'free', afterErrors: 'free' }),
  create: planHint,
});
