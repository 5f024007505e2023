import { z } from 'zod';
import { permissionSchema } from '../../events/parts/tool-description.ts';
import { hasFewHooks, MOST_HOOKS } from './has-few-hooks.ts';

export const configBody = z
  .looseObject({ hooks: z.record(z.string(), z.json()).optional() })
  .refine(hasFewHooks, {
    path: ['hooks'],
    message: `must not define more than ${MOST_HOOKS} hooks over HTTP. Merge hooks, or use a configuration file`,
  })
  .describe('Built-in hooks, in the native format (hookline schema) or as lists of handlers by phase.');
export const scopeQuery = z.strictObject({
  scope: z.string().min(1).optional().describe('Scope whose configuration is used, instead of your own.'),
});
export const rollbackBody = z.strictObject({ revision: z.int().positive() });
export const switchBody = z.strictObject({ enabled: z.boolean() });
export const explainBody = z.strictObject({
  tool: z.string().min(1).max(200),
  input: z.record(z.string(), z.json()).optional(),
  permission: permissionSchema.optional(),
  agent: z.string().min(1).max(200).optional(),
  sessionId: z.string().min(1).max(128).optional().describe('Name that the user gave it.'),
  iteration: z.int().positive().max(1_000_000).optional().describe('Number of the model step (default: 1).'),
});

export const savedAnswer = z.object({ status: z.literal('ok'), revision: z.int() });
const issue = z.object({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  path: z.string(),
  message: z.string(),
});
/** The number of validation errors that are not listed. */
const more = z.int().positive().exactOptional();
export const reportAnswer = z.object({ valid: z.boolean(), issues: z.array(issue), more, notices: z.array(issue) });
export const historyAnswer = z.array(
  z.object({ revision: z.int(), savedAt: z.iso.datetime().optional(), config: z.json() }),
);
const kinds = z.array(z.object({ name: z.string(), description: z.string() }));
export const availableAnswer = z.object({ builtin: kinds, custom: kinds });
export const kindAnswer = z.object({
  name: z.string(),
  description: z.string(),
  options: z.json().describe('JSON Schema of the options.'),
});
export const inForceAnswer = z.object({
  hooks: z.array(
    z.object({
      name: z.string(),
      enabled: z.boolean(),
      from: z
        .enum(['host', 'files', 'saved'])
        .describe(
          'Source of the hook: the host, its configuration files, or the configuration saved for you or your scope.',
        ),
      type: z.string().exactOptional(),
      priority: z.number().exactOptional().describe('Priority, lower first. A disabled hook has none.'),
      description: z.string().exactOptional(),
      file: z.string().exactOptional().describe('File and line of its entry. Requires the right "configure".'),
      line: z.int().exactOptional(),
      rules: z
        .array(z.object({ text: z.string(), file: z.string(), line: z.int() }))
        .exactOptional()
        .describe('Its permission rules with their lines. Requires the right "configure".'),
      match: z.json().exactOptional().describe('What the hook applies to (default: everything).'),
    }),
  ),
});
/** A hook, enabled or not, as `GET /api/hooks/in-force` lists it. */
export type HookInForce = z.infer<typeof inForceAnswer>['hooks'][number];

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
  notices: z.array(issue),
});
export const stateAnswer = z
  .object({
    type: z.enum(['reloaded', 'refused']),
    generation: z.int(),
    issues: z.array(issue),
    more,
  })
  .meta({ id: 'HookState' });
export const problemAnswer = z
  .object({ error: z.object({ code: z.string(), message: z.string(), issues: z.array(issue).exactOptional(), more }) })
  .describe('Error message.');
