import { z } from 'zod';
import type { Message } from '../../events/parts/message.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { names } from '../name-options.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { withHint } from '../with-hint.ts';

const text = z.string().regex(/\S/, 'must not be empty');
const hint = (usual: string) => z.union([z.literal(false), text]).default(usual);

/** The options of `planHint` with their defaults. */
export const planHintOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('plan-hint').describe('Name of the hook.'),
    agents: names.exactOptional().describe('Agents that the hook applies to; * and ? are wildcards (default: all).'),
    begin: hint(
      'Before you call a tool, say in a few lines how you will go about this. A question that needs one step or none needs no plan.',
    ).describe('Instruction in the first model request of a run. false disables it.'),
    progress: hint(
      'Compare what you have done with your plan. Say what is left, and change the plan where it no longer fits.',
    ).describe('Instruction that is repeated during a run. false disables it.'),
    every: z.int().min(2).default(6).describe('Number of model requests between two repetitions.'),
    afterErrors: hint('A call has failed. Look at why before you repeat it, and change your plan if need be.').describe(
      'Instruction after a step with a failed call. false disables it.',
    ),
  })
  .refine(({ begin, progress, afterErrors }) => begin || progress || afterErrors, {
    message: 'requires at least one of begin, progress and afterErrors',
  });

/** The options of `planHint` before defaults; all are optional. */
export type PlanHintOptions = z.input<typeof planHintOptionsSchema>;

/**
 * Makes the model plan before it acts, compare its progress with the plan at intervals, and review the plan after a failed call. The
 * hints are the last message of a request and do not enter the transcript. Requests without tools get no hint.
 *
 * - Parallel calls: One failed call is enough for a review.
 * - Sub-agents: They get hints, too, unless `agents` excludes them.
 * - Retry: The same request gets the same hint.
 * - Suspend and resume: Nothing is kept.
 * - Cost: The tokens of a hint in some requests.
 */
export function planHint(options: PlanHintOptions = {}): Hook {
  const settings = parseHookOptions('plan-hint', planHintOptionsSchema, options);
  const { name, agents, begin, progress, every, afterErrors } = settings;
  return defineHook({
    name,
    description: 'Makes the model plan before it acts, and review its plan.',
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

/** Returns whether a call of the last step has failed. */
function hasFailed(messages: readonly Message[]): boolean {
  for (let at = messages.length - 1; at >= 0; at--) {
    const { origin, role, parts } = messages[at] as Message;
    if (origin !== undefined) continue;
    if (role === 'assistant') return false;
    if (parts.some((part) => part.type === 'toolResult' && part.result.isError)) return true;
  }
  return false;
}

/** @internal The catalogue entry of `planHint`. */
export const planHintEntry = defineCatalogueEntry({
  name: 'plan-hint',
  description: 'Makes the model plan before it acts, and review its plan.',
  events: ['preReasoning'],
  optionsSchema: planHintOptionsSchema,
  example: { every: 4 },
  weakens: weakensUnless({}, ['agents', 'begin', 'progress', 'every', 'afterErrors']),
  create: planHint,
});
