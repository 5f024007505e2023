import { z } from 'zod';
import { permissionSchema } from '../events/parts/tool-description.ts';
import { timerMs } from '../events/values/timer-ms.ts';
import { sizeSchema, timeSchema } from './amounts.ts';
import { backplaneSchema } from './backplane-schema.ts';

/** The phases of a tool call that JARVIS can bind a hook to. */
export const toolPhases = ['pre_tool_use', 'post_tool_use', 'tool_error', 'tool_skip'] as const;
export type ToolPhase = (typeof toolPhases)[number];

const names = z.array(z.string().min(1));
const milliseconds = timerMs();

const count = z.int().positive().optional();

/** The criteria for the events that a hook applies to. */
const matchSchema = z.strictObject({
  tools: names.optional().describe('Names of tools, or globs (* any characters, ? one).'),
  permissions: z.array(permissionSchema).optional(),
  agents: names.optional().describe('Names of agents, or globs.'),
});

/** The schema of one hook entry in a file. */
export const hookEntrySchema = z.strictObject({
  type: z
    .string()
    .min(1)
    .optional()
    .describe('A built-in hook, process, command or module. Optional if an earlier file sets it.'),
  enabled: z.boolean().optional().describe('Default: true.'),
  path: z
    .string()
    .min(1)
    .optional()
    .describe('For type module: path of the module, relative to this file, or a package.'),
  priority: z.number().optional().describe('Priority, lower runs first (default: that of the kind).'),
  phase: z.enum(toolPhases).optional().describe('Binds the hook to one phase of tool calls.'),
  match: matchSchema.optional().describe('What the hook applies to (default: everything).'),
  onFailure: z
    .enum(['block', 'skip'])
    .optional()
    .describe(
      'Action if the hook fails: block the step, or skip the hook. For type command: default of scripts that do not set it.',
    ),
  timeoutMs: milliseconds
    .optional()
    .describe(
      'Timeout of a handler, of a request to a process, or of a script without its own timeout, in milliseconds.',
    ),
  options: z.record(z.string(), z.json()).optional().describe('Options of the kind.'),
  weaker: z
    .boolean()
    .optional()
    .describe(
      'Allows later files and saved configurations to weaken this hook. For a hook that is always on, also allows this file (default: false).',
    ),
});

/** The schema of a configuration in the native format. */
export const nativeSchema = z.strictObject({
  $schema: z.string().optional().describe('JSON Schema of this file, for editors.'),
  version: z.literal(1).optional().describe('Version of the format.'),
  env: z
    .array(z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable'))
    .optional()
    .describe('Environment variables that this file may use as $ and a name in braces. $$ is a literal $.'),
  defaults: z
    .strictObject({ onFailure: z.enum(['block', 'skip']).optional(), timeoutMs: milliseconds.optional() })
    .optional()
    .describe('Default for hooks that do not set it and support it.'),
  weaker: z.boolean().optional().describe('Same as weaker: true for each hook of this file.'),
  hooks: z.record(z.string().min(1), hookEntrySchema).optional().describe('The hooks, by name.'),
  model: z
    .union([
      z.string().min(1),
      z.strictObject({
        use: z.string().min(1).describe('offline, script:<file> or openai-compatible:<model>.'),
        baseUrl: z.string().min(1).optional(),
        apiKey: z.string().min(1).meta({ secret: true }).optional(),
      }),
    ])
    .optional()
    .describe('Model of `run` and `serve`: offline, script:<file> or openai-compatible:<model>.'),
  tools: names.optional().describe('Workspace tools to offer, by name or glob (default: all).'),
  workspace: z.string().min(1).optional().describe('Directory that the tools work in, relative to this file.'),
  agent: z
    .strictObject({
      name: z.string().min(1).optional(),
      instructions: z.string().optional(),
      maxIterations: z.int().positive().optional(),
    })
    .optional(),
  accept: z
    .array(z.record(z.string(), z.string().min(1)))
    .optional()
    .describe('Hooks that may have no effect in a coding agent, for check --for: a list of { host: hook }.'),
  server: z
    .strictObject({
      host: z.string().min(1).optional(),
      port: z.int().min(0).max(65_535).optional(),
      allowedHosts: names.optional().describe('Accepted Host headers, port included, in addition to the address.'),
      page: z.boolean().optional().describe('Serves the web UI, which requires tracing of runs (default: true).'),
      state: z.string().min(1).optional().describe('State directory of `serve`, relative to this file.'),
      keep: z
        .strictObject({
          for: timeSchema.optional().describe('Maximum age of an ended run (default: 30d).'),
          size: sizeSchema
            .optional()
            .describe('Maximum size of all runs. The oldest are deleted first (default: 1GB).'),
        })
        .optional()
        .describe('Limits of ended runs.'),
      approvals: z
        .strictObject({ expireAfter: timeSchema.optional() })
        .optional()
        .describe('An approval without an answer is denied after expireAfter, and its run continues (default: 7d).'),
      reports: z
        .strictObject({
          secret: z
            .string()
            .min(16, 'must have at least 16 characters')
            .describe('Secret of the hook `webhook` of the reporting processes, such as ${WEBHOOK_SECRET}.')
            .meta({ secret: true }),
        })
        .optional()
        .describe('Requires signed reports of runs of other processes (default: a token is sufficient).'),
      backplane: backplaneSchema
        // Its length is checked after substitution.
        .extend({ secret: z.string().min(1).meta({ secret: true }) })
        .optional()
        .describe('Shares the stores of `serve` with other servers, over NATS.'),
      limits: z
        .strictObject({
          runs: count.describe('Active runs (default: 64).'),
          runsPerUser: count.describe('Active runs per user (default: 16).'),
          suspendedPerUser: count.describe('Suspended runs per user (default: 1,000).'),
          streams: count.describe('Open event streams (default: 2,000).'),
          streamsPerUser: count.describe('Open event streams per user (default: 100).'),
          connections: count.describe('Connections (default: 2,000).'),
          connectionsPerAddress: count.describe('Connections per address (default: 500).'),
          failedLogins: count.describe('Failed logins per address and minute (default: 10).'),
        })
        .optional()
        .describe('Limits of the server.'),
    })
    .optional(),
});

/** A hook entry of a configuration. */
export type HookEntry = z.output<typeof hookEntrySchema>;
/** A configuration in the native format. */
export type NativeConfig = z.output<typeof nativeSchema>;
