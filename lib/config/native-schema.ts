import { z } from 'zod';
import { permissionSchema } from '../events/parts/tool-description.ts';
import { timerMs } from '../events/values/timer-ms.ts';
import { sizeSchema, timeSchema } from './amounts.ts';

/** The parts of tool calls that JARVIS binds a hook to. */
export const toolPhases = ['pre_tool_use', 'post_tool_use', 'tool_error', 'tool_skip'] as const;
export type ToolPhase = (typeof toolPhases)[number];

const names = z.array(z.string().min(1));
const milliseconds = timerMs();

const count = z.int().positive().optional();

/** Where a hook applies. */
export const matchSchema = z.strictObject({
  tools: names.optional().describe('Names of tools, or globs (* any characters, ? one).'),
  permissions: z.array(permissionSchema).optional(),
  agents: names.optional().describe('Names of agents, or globs.'),
});

/** One hook as it stands in a file. */
export const hookEntrySchema = z.strictObject({
  type: z
    .string()
    .min(1)
    .optional()
    .describe('A kind of the catalogue, process, command or module. May be left out where an earlier file says it.'),
  enabled: z.boolean().optional().describe('Default: true.'),
  path: z.string().min(1).optional().describe('For type module: its file, from the folder of this file, or a package.'),
  priority: z.number().optional().describe('Lower first. Default: that of the kind.'),
  phase: z.enum(toolPhases).optional().describe('Binds the hook to one phase of tool calls.'),
  match: matchSchema.optional().describe('Where the hook applies. Default: everywhere.'),
  onFailure: z
    .enum(['block', 'skip'])
    .optional()
    .describe(
      'What a failure of the hook does: block what it would have judged, or skip the hook. Of type command: for scripts that do not say it themselves.',
    ),
  timeoutMs: milliseconds
    .optional()
    .describe('For each call of a handler, question to a process, or script that has no timeout.'),
  options: z.record(z.string(), z.json()).optional().describe('What the kind of the hook is to do.'),
  weaker: z
    .boolean()
    .optional()
    .describe(
      'Lets later files and saved configurations weaken this hook. At a hook that is always on: lets this file weaken it, too. Default: they cannot.',
    ),
});

/** A configuration of Hookline's own format. */
export const nativeSchema = z.strictObject({
  $schema: z.string().optional().describe('For editors.'),
  version: z.literal(1).optional().describe('The version of this format.'),
  env: z
    .array(z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable'))
    .optional()
    .describe(
      'The environment variables that texts of this file may name, in braces behind a $. A second $ in front leaves the text alone.',
    ),
  defaults: z
    .strictObject({ onFailure: z.enum(['block', 'skip']).optional(), timeoutMs: milliseconds.optional() })
    .optional()
    .describe('For hooks that do not say it themselves, where it is legal for them.'),
  weaker: z.boolean().optional().describe('The same as weaker: true at each hook of this file.'),
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
    .describe('The model of `run` and `serve`: offline, script:<file> or openai-compatible:<model>.'),
  tools: names.optional().describe('Which workspace tools there are, by name or glob. Default: all.'),
  workspace: z.string().min(1).optional().describe('The folder that the tools work in, from the folder of this file.'),
  agent: z
    .strictObject({
      name: z.string().min(1).optional(),
      instructions: z.string().optional(),
      maxIterations: z.int().positive().optional(),
    })
    .optional(),
  server: z
    .strictObject({
      host: z.string().min(1).optional(),
      port: z.int().min(0).max(65_535).optional(),
      allowedHosts: names
        .optional()
        .describe('What the Host header may say, port included; besides the address itself.'),
      page: z.boolean().optional().describe('Whether the page is served, for which runs are traced. Default: true.'),
      state: z
        .string()
        .min(1)
        .optional()
        .describe('The folder that `serve` keeps its state in, from the folder of this file.'),
      keep: z
        .strictObject({
          for: timeSchema.optional().describe('How long a run that has ended is kept. Default: 30d.'),
          size: sizeSchema.optional().describe('How much all runs may take; the oldest go. Default: 1GB.'),
        })
        .optional()
        .describe('What is kept of runs that have ended.'),
      approvals: z
        .strictObject({ expireAfter: timeSchema.optional() })
        .optional()
        .describe('A call that nobody has answered after expireAfter is denied, and its run goes on. Default: 7d.'),
      limits: z
        .strictObject({
          runs: count.describe('Runs at a time. Default: 64.'),
          runsPerUser: count.describe('Runs of one user at a time. Default: 16.'),
          suspendedPerUser: count.describe('Suspended runs of one user. Default: 1,000.'),
          streams: count.describe('Streams of events at a time. Default: 2,000.'),
          streamsPerUser: count.describe('Streams of one user at a time. Default: 100.'),
          connections: count.describe('Connections at a time. Default: 2,000.'),
          connectionsPerAddress: count.describe('Connections from one address at a time. Default: 500.'),
          failedLogins: count.describe('Failed logins from one address in a minute. Default: 10.'),
        })
        .optional()
        .describe('What the server puts up with.'),
    })
    .optional(),
});

/** One hook of a configuration. */
export type HookEntry = z.output<typeof hookEntrySchema>;
/** A configuration in the format of Hookline. */
export type NativeConfig = z.output<typeof nativeSchema>;
