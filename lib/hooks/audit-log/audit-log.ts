import { z } from 'zod';
import { eventTypes } from '../../events/decisions/event-rules.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import { type Logger, logAt } from '../../pipeline/logger.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { redactOption } from '../text/redact-option.ts';
import { usualRedactor } from '../usual-redactor.ts';
import { switchesOff, weakensUnless } from '../weakens-unless.ts';
import { openAuditFile } from './audit-file.ts';
import { createAuditRecords } from './audit-records.ts';

const rotate = z
  .strictObject({
    maxBytes: z
      .int()
      .positive()
      .optional()
      .describe('Maximum size of a file in bytes. A line that exceeds it starts a new file.'),
    daily: z.boolean().optional().describe('Starts a new file with the first record of each day (UTC).'),
    keep: z.int().positive().optional().describe('Number of rotated files to keep (default: all).'),
  })
  .refine(({ maxBytes, daily }) => maxBytes !== undefined || daily === true, {
    message: 'must contain maxBytes, or daily: true',
  });

/** The levels as pino writes them. */
const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;

const optionsSchema = z.strictObject({
  name: z.string().min(1).default('audit-log').describe('Name of the hook.'),
  logger: z
    .custom<Logger>((value) => typeof (value as Logger | null)?.info === 'function', 'must be a pino logger')
    .optional()
    .describe('Pino logger for the records.'),
  file: z
    .string()
    .min(1)
    .optional()
    .describe('File to append the records to, one JSON object per line.')
    .meta({ local: true }),
  rotate: rotate
    .optional()
    .describe('When to rotate the file. A rotated file is named by day and number: audit.2026-11-21.1.jsonl.'),
  chain: z
    .boolean()
    .default(false)
    .describe('Adds a hash over all previous lines to each line; see hookline audit verify.'),
  chainKey: z
    .string()
    .min(1)
    .optional()
    .describe('Secret that is required to write lines of the chain (default: a hash without a secret).')
    .meta({ secret: true }),
  args: z.boolean().default(true).describe('Records the arguments of tool calls.'),
  results: z
    .union([z.boolean(), z.int().positive()], 'must be true, false or a number of characters')
    .default(false)
    .describe('Records the results of tool calls. A number sets their maximum length in characters.')
    .meta({ filesOnly: [true] }),
  chunks: z.boolean().default(false).describe('Records streamed chunks with their text.'),
  redact: redactOption(' of the records'),
  level: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
    .default('info')
    .describe('Log level of the records. Failures have the level error.'),
});

/** The options of `auditLog` with their defaults. */
export const auditLogOptionsSchema = optionsSchema
  .refine(({ file, rotate, chain }) => file !== undefined || (!rotate && !chain), {
    path: ['file'],
    message: 'is required for rotate and chain',
  })
  .refine(({ chain, chainKey }) => chain || chainKey === undefined, {
    path: ['chainKey'],
    message: 'requires chain: true',
  });

/** The options of `auditLog` before defaults; all are optional. */
export type AuditLogOptions = z.input<typeof auditLogOptionsSchema>;

/**
 * Records every tool call, decision, note, error, model step and run with pino: to `file`, to `logger`, to both, or to the pipeline's own
 * log. A record is in the file when `observe` returns, so there is nothing to close. If the file cannot be written later, `context.log`
 * reports it once and the run continues. A record of a call contains the `family` of its tool (shell, read, write, search, web, mcp,
 * agent, other) and, with `args`, its `paths`: the same for the tools of all agents.
 *
 * Rotation neither loses nor splits a line, even if several processes write. One of them renames the file with all its lines. The day is
 * that of the record. In a chain, each line contains the number of bytes before it and their SHA-256, across rotated files and restarts.
 * `verifyAudit` therefore detects lines that were removed, edited, moved or inserted, if all writers of the file use the chain. It does
 * not detect that the last lines were cut off. Without `chainKey` it does not detect that the whole chain was recomputed: store the last
 * hash elsewhere.
 *
 * - Parallel calls: Each call has its own records, with the IDs of the run and the call.
 * - Sub-agents: Their records have the ID of their own run.
 * - Retry: Each attempt has its own records.
 * - Suspend and resume: A resumed run has its own records, which name the run that it resumes.
 * - Cost: One synchronous write for each record. With `chain`, one SHA-256 for each line.
 */
export function auditLog(options: AuditLogOptions = {}): Hook {
  const parsed = parseHookOptions('audit-log', auditLogOptionsSchema, options);
  const { name, logger, file, rotate, chain, chainKey, level, redact, ...detail } = parsed;
  let time = 0;
  const place = { rotate, chain: chain ? { key: chainKey } : undefined, now: () => time };
  const sink = file === undefined ? undefined : openAuditFile(file, place);
  const redactor = redact === true ? usualRedactor() : redact || undefined;
  const recordsOf = createAuditRecords({ ...detail, redactor });
  return defineHook({
    name,
    description: 'Records tool calls, decisions, errors and runs.',
    priority: HookPriority.LOGGING,
    observe: function auditLog(event, context) {
      if (context.dryRun) return;
      time = event.time;
      for (const record of recordsOf(event)) {
        const at = record.failed ? 'error' : level;
        const log = logger ?? (sink ? undefined : context.log);
        if (log) logAt(log, at, record.fields, record.name);
        sink?.write(`${JSON.stringify({ level: LEVELS[at], ...record.fields, msg: record.name })}\n`);
      }
      const issue = sink?.takeFailure();
      if (issue) context.log.error({ err: issue.error, file: sink?.path }, issue.effect);
    },
  });
}

/** @internal The catalogue entry of `auditLog`. */
export const auditLogEntry = defineCatalogueEntry({
  name: 'audit-log',
  description: 'Records tool calls, decisions, errors and runs as JSON lines or in a pino logger.',
  events: eventTypes,
  approves: false,
  optionsSchema: auditLogOptionsSchema,
  example: { results: 2_000 },
  weakens: weakensUnless({ args: switchesOff, chain: switchesOff, redact: switchesOff }),
  create: auditLog,
});
