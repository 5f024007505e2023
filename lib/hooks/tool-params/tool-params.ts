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
import { parseHookOptions } from '../parse-hook-options.ts';

const sealedSchema = z.strictObject({
  value: z.json().describe('The secret. Only the tool gets it.').meta({ secret: true }),
  label: z
    .string()
    .min(1)
    .exactOptional()
    .describe('What stands for it everywhere else. Default: the name of the member.'),
  decoy: z
    .json()
    .exactOptional()
    .describe("A harmless value that fits the tool's schema, where the schema makes demands."),
});

const paramsSchema = z
  .strictObject({
    tools: z.array(z.string().min(1)).min(1).describe('Names of tools; * and ? are wildcards.'),
    add: z
      .lazy(() => jsonObjectSchema)
      .exactOptional()
      .describe('Members that calls get. Approvers and audits see them.'),
    seal: z.record(z.string(), sealedSchema).exactOptional().describe('Secret members that calls get.'),
    fromRun: z
      .record(z.string(), z.enum(['userId', 'sessionId', 'runId', 'agent']))
      .exactOptional()
      .describe('Members that calls get from who runs. A call is denied where the run has none.'),
  })
  .refine(({ add, seal, fromRun }) => add || seal || fromRun, { message: 'needs add, seal or fromRun' });

/** The options of `toolParams` with their defaults. */
export const toolParamsOptionsSchema = z.strictObject({
  name: z.string().min(1).default('tool-params').describe('Name of the hook.'),
  params: z
    .array(paramsSchema)
    .min(1, 'needs at least one entry')
    .describe('What calls of which tools get; later ones win.')
    .meta({ local: true }),
});

/** The options of `toolParams` as they are given. */
export type ToolParamsOptions = z.input<typeof toolParamsOptionsSchema>;

/**
 * Adds members to the input of calls: an id of the user, a credential. They replace what the model wrote in their place, and the model is not
 * told of them: they are taken out of the schemas of the tools that it is offered. Transcripts never have them; sealed ones reach nothing but
 * the tool.
 *
 * Calls at once, sub-agents, retry, suspend and resume: each call that is about to run gets them anew; nothing is kept.
 */
export function toolParams(options: ToolParamsOptions): Hook {
  const { name, params } = parseHookOptions('tool-params', toolParamsOptionsSchema, options);
  const entries = params.map((entry) => ({ ...entry, fits: createMatcher(entry.tools) }));
  const membersFor = (tool: string): readonly string[] =>
    entries.flatMap(({ fits, add = {}, seal = {}, fromRun = {} }) =>
      fits(tool) ? [add, seal, fromRun].flatMap((one) => Object.keys(one)) : [],
    );
  return defineHook({
    name,
    description: 'Adds members to the input of calls, credentials among them.',
    priority: HookPriority.AUTH,
    on: {
      preReasoning(event) {
        const tools = event.tools.map((tool) => without(tool, membersFor(tool.name)));
        return tools.some((tool, at) => tool !== event.tools[at]) ? modify(event, { tools }) : undefined;
      },
      preActing(event, context) {
        const { toolCall, run } = event;
        const mine = entries.filter(({ fits }) => fits(toolCall.name));
        if (mine.length === 0) return undefined;
        const added: Record<string, JsonValue> = {};
        for (const { add = {}, seal = {}, fromRun = {} } of mine) {
          Object.assign(added, add);
          for (const [member, from] of Object.entries(fromRun)) added[member] = memberOfRun(run, from);
          for (const [member, { value, label = member, decoy }] of Object.entries(seal))
            added[member] = context.seal(label, value, decoy === undefined ? {} : { decoy });
        }
        return modify(event, { toolCall: { ...toolCall, input: { ...toolCall.input, ...added } } });
      },
    },
  });
}

function memberOfRun(run: RunInfo, from: 'userId' | 'sessionId' | 'runId' | 'agent'): string {
  const value = from === 'userId' ? userOf(run) : run[from];
  if (value !== undefined) return value;
  throw new Error(`the run has no ${from}`);
}

/** A tool as it is offered, without members that the model need not know of. */
function without(tool: ToolDescription, members: readonly string[]): ToolDescription {
  const { properties, required, ...rest } = tool.inputSchema as JsonObject & {
    properties?: JsonObject;
    required?: readonly string[];
  };
  if (!properties || !members.some((member) => Object.hasOwn(properties, member))) return tool;
  const left = Object.entries(properties).filter(([member]) => !members.includes(member));
  const needed = required?.filter((member) => !members.includes(member));
  return {
    ...tool,
    inputSchema: {
      ...rest,
      properties: Object.fromEntries(left),
      ...(needed && needed.length > 0 && { required: needed }),
    },
  };
}

/** The catalogue entry of `toolParams`. */
export const toolParamsEntry = defineCatalogueEntry({
  name: 'tool-params',
  description: 'Adds members to the input of calls, credentials among them.',
  events: ['preReasoning', 'preActing'],
  optionsSchema: toolParamsOptionsSchema,
  example: { params: [{ tools: ['mail_*'], fromRun: { user: 'userId' } }] },
  create: toolParams,
});
