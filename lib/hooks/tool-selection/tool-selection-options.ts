import { z } from 'zod';
import { permissionSchema } from '../../events/parts/tool-description.ts';
import { timerMs } from '../../events/values/timer-ms.ts';
import { names } from '../name-options.ts';

const ruleSchema = z
  .strictObject({
    agents: names.exactOptional().describe('Agents that the rule applies to; * and ? are wildcards (default: all).'),
    offer: names.exactOptional().describe('Offers only these tools; * and ? are wildcards.'),
    hide: names.exactOptional().describe('Hides these tools; * and ? are wildcards.'),
    permissions: z.array(permissionSchema).min(1).exactOptional().describe('Offers only tools with these permissions.'),
  })
  .refine(({ offer, hide, permissions }) => offer || hide || permissions, {
    message: 'must contain offer, hide or permissions',
  });

const pickSchema = z.strictObject({
  max: z.int().positive().describe('Maximum number of tools that the model picks.'),
  model: z.string().min(1).exactOptional().describe('Model that picks (default: the model of the run).'),
  always: names.exactOptional().describe('Tools that are always offered, in addition to the picked ones.'),
  timeoutMs: timerMs()
    .default(20_000)
    .describe('Timeout of the selection, in milliseconds. Afterwards, all tools are offered.'),
});

/** The options of `toolSelection` with their defaults. */
export const toolSelectionOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('tool-selection').describe('Name of the hook.'),
    rules: z.array(ruleSchema).default([]).describe('Rules that select tools. All rules for an agent apply.'),
    pick: pickSchema
      .exactOptional()
      .describe('Makes a model pick the tools for a prompt, among those that the rules allow.'),
    order: z
      .enum(['given', 'name'])
      .default('given')
      .describe('Order of the offered tools. name sorts them by name, which keeps the order stable.'),
    enforce: z.boolean().default(true).describe('Denies calls of tools that are not offered.'),
  })
  .refine(({ rules, pick, order }) => rules.length > 0 || pick !== undefined || order === 'name', {
    path: ['rules'],
    message: 'requires rules, pick or order: name',
  });

/** The options of `toolSelection` before defaults. */
export type ToolSelectionOptions = z.input<typeof toolSelectionOptionsSchema>;
/** The model that picks tools, and the limits. */
export type PickSettings = z.output<typeof pickSchema>;
/** A rule for offered tools. */
export type SelectionRule = z.output<typeof ruleSchema>;
