import { z } from 'zod';
import { modify } from '../../events/decisions/modify.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import { userOf } from '../../events/parts/user-of.ts';
import { type JsonObject, type JsonValue, jsonObjectSchema } from '../../events/values/json-value.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { names } from '../name-options.ts';
import { parseHookOptions } from '../parse-hook-options.ts';

const sealedSchema = z.strictObject({
  value: z.json().describe('The secret. Only the tool receives it.').meta({ secret: true }),
  label: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Label that replaces it everywhere else (default: the name of the field).'),
  decoy: z
    .json()
    .exactOptional()
    .describe("A harmless value that matches the tool's schema, if the schema constrains the field."),
});

const paramsSchema = z
  .strictObject({
    tools: names.describe('Tools that the entry applies to; * and ? are wildcards.'),
    add: z
      .lazy(() => jsonObjectSchema)
      .exactOptional()
      .describe('Fields to inject. Approvers and audit logs see them.'),
    seal: z.record(z.string(), sealedSchema).exactOptional().describe('Secret fields to inject.'),
    fromRun: z
      .record(z.string(), z.enum(['userId', 'sessionId', 'runId', 'agent']))
      .exactOptional()
      .describe('Fields to inject from the caller of the run. If the run has no such value, the call is denied.'),
  })
  .refine(({ add, seal, fromRun }) => add || seal || fromRun, { message: 'must contain add, seal or fromRun' });

/** The options of `toolParams` with their defaults. */
export const toolParamsOptionsSchema = z.strictObject({
  name: z.string().min(1).default('tool-params').describe('Name of the hook.'),
  params: z
    .array(paramsSchema)
    .min(1, 'must contain at least one entry')
    .describe('Fields by tool. Later entries win.')
    .meta({ local: true }),
});

/** The options of `toolParams` before defaults. */
export type ToolParamsOptions = z.input<typeof toolParamsOptionsSchema>;

/**
 * Injects fields into the input of calls: the ID of the user, a credential. They replace the values that the model wrote. The model does
 * not see them: they are removed from the schemas of the offered tools. Transcripts never contain them. Sealed values reach the tool
 * only.
 *
 * - Parallel calls: Each call gets its own fields.
 * - Sub-agents: Their calls get the fields, too.
 * - Retry: Each attempt gets the fields again.
 * - Suspend and resume: Nothing is kept. A call gets the fields when it is about to run.
 * - Cost: Copies the input of matching calls. No model request.
 */
export function toolParams(options: ToolParamsOptions): Hook {
  const { name, params } = parseHookOptions('tool-params', toolParamsOptionsSchema, options);
  const entries = params.map((entry) => ({ ...entry, matches: createMatcher(entry.tools) }));
  const fieldsFor = (tool: string): readonly string[] =>
    entries.flatMap(({ matches, add = {}, seal = {}, fromRun = {} }) =>
      matches(tool) ? [add, seal, fromRun].flatMap((one) => Object.keys(one)) : [],
    );
  return defineHook({
    name,
    description: 'Injects fields into tool calls: caller IDs, credentials.',
    priority: HookPriority.AUTH,
    on: {
      preReasoning(event) {
        const tools = event.tools.map((tool) => without(tool, fieldsFor(tool.name)));
        return tools.some((tool, at) => tool !== event.tools[at]) ? modify(event, { tools }) : undefined;
      },
      preActing(event, context) {
        const { toolCall, run } = event;
        const mine = entries.filter(({ matches }) => matches(toolCall.name));
        if (mine.length === 0) return undefined;
        const added: Record<string, JsonValue> = {};
        for (const { add = {}, seal = {}, fromRun = {} } of mine) {
          Object.assign(added, add);
          for (const [field, from] of Object.entries(fromRun)) added[field] = runField(run, from);
          for (const [field, { value, label = field, decoy }] of Object.entries(seal))
            added[field] = context.seal(label, value, decoy === undefined ? {} : { decoy });
        }
        return modify(event, { toolCall: { ...toolCall, input: { ...toolCall.input, ...added } } });
      },
    },
  });
}

function runField(run: RunInfo, from: 'userId' | 'sessionId' | 'runId' | 'agent'): string {
  const value = from === 'userId' ? userOf(run) : run[from];
  if (value !== undefined) return value;
  throw new Error(`the run has no ${from}`);
}

/** Returns a tool description without the injected fields. */
function without(tool: ToolDescription, fields: readonly string[]): ToolDescription {
  const schema = tool.inputSchema as JsonObject & { properties?: JsonObject; required?: readonly string[] };
  const { properties } = schema;
  if (!properties || !fields.some((field) => Object.hasOwn(properties, field))) return tool;
  const { required, properties: _, ...rest } = schema;
  const left = Object.entries(properties).filter(([field]) => !fields.includes(field));
  const needed = required?.filter((field) => !fields.includes(field));
  return {
    ...tool,
    inputSchema: {
      ...rest,
      properties: Object.fromEntries(left),
      ...(needed && needed.length > 0 && { required: needed }),
    },
  };
}

/** @internal The catalogue entry of `toolParams`. */
export const toolParamsEntry = defineCatalogueEntry({
  name: 'tool-params',
  description: 'Injects fields into tool calls: caller IDs, credentials.',
  events: ['preReasoning', 'preActing'],
  optionsSchema: toolParamsOptionsSchema,
  example: { params: [{ tools: ['mail_*'], fromRun: { user: 'userId' } }] },
  create: toolParams,
});
