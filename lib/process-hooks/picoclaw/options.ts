import type { SchedulerLike } from 'rxjs';
import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import type { Logger } from '../../pipeline/logger.ts';
import type { MessagePort } from '../protocol-2/serve-host.ts';

/** Calls that a PicoClaw hook may subscribe to. */
export const interceptNames = ['before_llm', 'after_llm', 'before_tool', 'approve_tool', 'after_tool'] as const;
export type Intercept = (typeof interceptNames)[number];

const milliseconds = timerMs();

/** Options of `processHook`, with their defaults. */
export const processHookOptionsSchema = z.strictObject({
  name: z.string().min(1).describe('Name of the hook, which is sent to the process.'),
  command: z
    .array(z.string().min(1))
    .min(1, 'command is required')
    .describe('The program and its arguments; no shell.')
    .meta({ local: true }),
  dir: z.string().optional().describe('Working directory (default: the one of the host).').meta({ local: true }),
  env: z
    .record(z.string(), z.string().meta({ secret: true }))
    .default({})
    .describe('Environment variables to add or replace.'),
  inheritEnv: z
    .union([z.boolean(), z.array(z.string())])
    .default(true)
    .describe('Environment variables of the host to pass on: all, none, or a list of names.'),
  observe: z.array(z.string()).default([]).describe('Kinds of runtime events, old names or new ones; "*" for all.'),
  intercept: z.array(z.enum(interceptNames)).default([]).describe('Steps that the process intercepts.'),
  chunks: z
    .array(z.enum(['reasoning', 'acting']))
    .default([])
    .describe('Protocol 2: streams whose chunks pass through the process, in batches. The hook then fails closed.'),
  profile: z
    .enum(['picoclaw', 'hookline'])
    .default('picoclaw')
    .describe(
      'picoclaw: runs behind all hooks in this process, fails open except as an approver, sees results of tools that ran only.',
    ),
  priority: z
    .number()
    .default(0)
    .describe('Priority, lower first: among process hooks in profile picoclaw, among all hooks otherwise.'),
  onFailure: z
    .enum(['skip', 'block'])
    .optional()
    .describe(
      'Action if the process fails (default: skip in profile picoclaw, block otherwise and with chunks). Approval always blocks.',
    ),
  match: z
    .strictObject({
      tools: z.array(z.union([z.string().min(1), z.instanceof(RegExp)])).optional(),
      permissions: z.array(z.enum(['read', 'write', 'external'])).optional(),
      agents: z.array(z.union([z.string().min(1), z.instanceof(RegExp)])).optional(),
    })
    .optional()
    .describe('What the hook applies to.'),
  timeouts: z
    .strictObject({
      helloMs: milliseconds.default(5_000),
      interceptorMs: milliseconds.default(5_000),
      approvalMs: milliseconds.default(60_000),
      observerMs: milliseconds
        .optional()
        .describe('Has no effect and logs a warning: Hookline does not wait for observers.'),
    })
    .prefault({})
    .describe('In milliseconds.'),
  dialect: z
    .strictObject({
      events: z.enum(['runtime', 'legacy', 'both']).default('runtime'),
      reply: z.enum(['merge', 'replace']).default('merge'),
      changes: z.enum(['apply', 'keep']).default('apply'),
      aliases: z.boolean().default(false),
    })
    .prefault({})
    .describe('Version of the wire format that the script expects.'),
  maxReplyLength: z
    .number()
    .int()
    .positive()
    .default(1 << 24)
    .describe('Longest reply line, in characters.'),
  message: z
    .custom<MessagePort>((value) => typeof value === 'function', 'must be a function of a text and a run')
    .optional()
    .describe('Protocol 2: sends messages of host.message to the user of the run.'),
  log: z
    .custom<Logger>((value) => typeof (value as Logger | null)?.child === 'function', 'must be a pino logger')
    .optional(),
  scheduler: z
    .custom<SchedulerLike>((value) => typeof (value as SchedulerLike | null)?.schedule === 'function')
    .optional(),
});

/** Options of a hook in a separate process, before defaults are applied. */
export type ProcessHookOptions = z.input<typeof processHookOptionsSchema>;
export type ProcessHookSettings = z.output<typeof processHookOptionsSchema>;
