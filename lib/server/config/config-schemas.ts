import { z } from 'zod';
import { permissionSchema } from '../../events/parts/tool-description.ts';
import { MOST_HOOKS, tellsOfFewHooks } from './tells-of-few-hooks.ts';

export const configBody = z
  .looseObject({ hooks: z.record(z.string(), z.json()).optional() })
  .refine(tellsOfFewHooks, {
    path: ['hooks'],
    message: `tell of more than ${MOST_HOOKS} hooks; over HTTP these are the most. Join some, or put them into a configuration file`,
  })
  .describe('Hooks of the catalogue in the native form (hookline schema), or in that of JARVIS.');
export const scopeQuery = z.strictObject({
  scope: z.string().min(1).optional().describe('The configuration of this scope, instead of the own one.'),
});
export const rollbackBody = z.strictObject({ revision: z.int().positive() });
export const switchBody = z.strictObject({ enabled: z.boolean() });
export const explainBody = z.strictObject({
  tool: z.string().min(1).max(200),
  input: z.record(z.string(), z.json()).optional(),
  permission: permissionSchema.optional(),
  agent: z.string().min(1).max(200).optional(),
  sessionId: z.string().min(1).max(128).optional().describe('As its user names it.'),
  iteration: z.int().positive().max(1_000_000).optional().describe('How often the model has been asked. Default: 1.'),
});

export const savedAnswer = z.object({ status: z.literal('ok'), revision: z.int() });
const fault = z.object({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  path: z.string(),
  message: z.string(),
});
/** How many faults there are besides those that are told. */
const more = z.int().positive().exactOptional();
export const reportAnswer = z.object({ valid: z.boolean(), faults: z.array(fault), more, notices: z.array(fault) });
export const historyAnswer = z.array(
  z.object({ revision: z.int(), savedAt: z.iso.datetime().optional(), config: z.json() }),
);
const kinds = z.array(z.object({ name: z.string(), description: z.string() }));
export const availableAnswer = z.object({ builtin: kinds, custom: kinds });
export const kindAnswer = z.object({
  name: z.string(),
  description: z.string(),
  options: z.json().describe('A JSON Schema of them.'),
});
export const inForceAnswer = z.object({
  hooks: z.array(
    z.object({
      name: z.string(),
      enabled: z.boolean(),
      from: z
        .enum(['host', 'files', 'saved'])
        .describe('Who brings it: the host itself, its configuration files, or what was saved for you or your scope.'),
      type: z.string().exactOptional(),
      priority: z.number().exactOptional().describe('Lower first. One that is off has none.'),
      description: z.string().exactOptional(),
      file: z.string().exactOptional().describe('Where its entry stands; with the right "configure" only.'),
      line: z.int().exactOptional(),
      match: z.json().exactOptional().describe('Where it applies; everywhere without it.'),
    }),
  ),
});
export const explainAnswer = z.looseObject({
  decision: z.object({
    action: z.enum(['proceed', 'respond', 'ask', 'deny', 'abort', 'fail']),
    by: z.string().optional(),
    reason: z.string().optional(),
  }),
  toolCall: z.object({ id: z.string(), name: z.string(), input: z.record(z.string(), z.json()) }),
  steps: z.array(
    z.looseObject({ hook: z.string(), priority: z.number(), stage: z.string(), effect: z.string(), ms: z.number() }),
  ),
  later: z.array(z.object({ hook: z.string(), stages: z.array(z.string()) })),
  notApplied: z.array(z.object({ hook: z.string(), why: z.string() })),
});
export const reloadAnswer = z.object({
  status: z.enum(['reloaded', 'unchanged']),
  generation: z.int(),
  notices: z.array(fault),
});
export const stateAnswer = z
  .object({
    type: z.enum(['reloaded', 'refused']),
    generation: z.int(),
    faults: z.array(fault),
    more,
  })
  .meta({ id: 'HookState' });
export const problemAnswer = z
  .object({ error: z.object({ code: z.string(), message: z.string(), faults: z.array(fault).exactOptional(), more }) })
  .describe('What went wrong.');
