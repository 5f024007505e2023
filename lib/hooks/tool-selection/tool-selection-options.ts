import { z } from 'zod';
import { permissionSchema } from '../../events/parts/tool-description.ts';
import { timerMs } from '../../events/values/timer-ms.ts';

const names = z.array(z.string().min(1)).min(1);

const ruleSchema = z
  .strictObject({
    agents: names.exactOptional().describe('For agents of these names; * and ? are wildcards. Default: for all.'),
    offer: names.exactOptional().describe('Only tools of these names are offered; * and ? are wildcards.'),
    hide: names.exactOptional().describe('Tools of these names are not offered.'),
    permissions: z
      .array(permissionSchema)
      .min(1)
      .exactOptional()
      .describe('Only tools of these permissions are offered.'),
  })
  .refine(({ offer, hide, permissions }) => offer || hide || permissions, {
    message: 'needs offer, hide or permissions',
  });

const pickSchema = z.strictObject({
  max: z.int().positive().describe('How many tools the model picks at most.'),
  model: z.string().min(1).exactOptional().describe('The name of the model that picks. Default: that of the run.'),
  always: names.exactOptional().describe('Tools that are offered in any case, beside those that are picked.'),
  timeoutMs: timerMs().default(20_000).describe('After so long all tools are offered.'),
});

/** The options of `toolSelection` with their defaults. */
export const toolSelectionOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('tool-selection').describe('Name of the hook.'),
    rules: z.array(ruleSchema).default([]).describe('Which tools are offered. All rules for an agent hold.'),
    pick: pickSchema
      .exactOptional()
      .describe('A model picks the tools for a question of the user, of those that the rules leave.'),
    order: z
      .enum(['given', 'name'])
      .default('given')
      .describe('In which order they are offered. name: always the same, whoever adds tools.'),
    enforce: z.boolean().default(true).describe('Whether a call of a tool that is not offered is denied.'),
  })
  .refine(({ rules, pick, order }) => rules.length > 0 || pick !== undefined || order === 'name', {
    path: ['rules'],
    message: 'needs rules, pick or order: name; without any all tools are offered as they are',
  });

/** The options of `toolSelection` as they are given. */
export type ToolSelectionOptions = z.input<typeof toolSelectionOptionsSchema>;
/** Who picks tools, and how many. */
export type PickSettings = z.output<typeof pickSchema>;
/** A rule of what is offered. */
export type SelectionRule = z.output<typeof ruleSchema>;
