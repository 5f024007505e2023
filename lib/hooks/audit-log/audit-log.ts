import { type Logger, pino } from 'pino';
import { z } from 'zod';
import { eventTypes } from '../../events/decisions/event-rules.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import { logAt } from '../../pipeline/logger.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { redactOption } from '../text/redact-option.ts';
import { usualRedactor } from '../usual-redactor.ts';
import { switchesOff, weakensUnless } from '../weakens-unless.ts';
import { openAuditFile } from './audit-file.ts';
import { createAuditRecords } from './audit-records.ts';

const rotate = z
  .strictObject({
    maxBytes: z.int().positive().optional().describe('A line that would make the file larger begins a new one.'),
    daily: z.boolean().optional().describe('The first record of a day, in UTC, begins a new file.'),
    keep: z.int().positive().optional().describe('How many rotated files are kept; default: all.'),
  })
  .refine(({ maxBytes, daily }) => maxBytes !== undefined || daily === true, {
    message: 'needs maxBytes, or daily: true',
  });

const optionsSchema = z.strictObject({
  name: z.string().min(1).default('audit-log').describe('Name of the hook.'),
  logger: z
    .custom<Logger>((value) => typeof (value as Logger | null)?.info === 'function', 'must be a pino logger')
    .optional()
    .describe('A pino logger that gets the records.'),
  file: z
    .string()
    .min(1)
    .optional()
    .describe('A file that the records are appended to, one JSON object a line.')
    .meta({ local: true }),
  rotate: rotate
    .optional()
    .describe('When the file is put aside, under a name with its day and a number: audit.2026-11-21.1.jsonl.'),
  chain: z
    .boolean()
    .default(false)
    .describe('Whether each line of the file holds a hash over those before it; see hookline audit verify.'),
  chainKey: z
    .string()
    .min(1)
    .optional()
    .describe('A secret without which nobody can make lines of the chain. Default: a hash that anybody can compute.')
    .meta({ secret: true }),
  args: z.boolean().default(true).describe('Whether the arguments of tool calls are recorded.'),
  results: z
    .union([z.boolean(), z.int().positive()], 'must be true, false or a number of characters')
    .default(false)
    .describe('Whether the results of tool calls are recorded; a number bounds their characters.')
    .meta({ filesOnly: [true] }),
  chunks: z.boolean().default(false).describe('Whether streamed chunks are recorded, their text included.'),
  redact: redactOption(' of the records'),
  level: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
    .default('info')
    .describe('Level of the records; failures have level error.'),
});

/** The options of `auditLog` with their defaults. */
export const auditLogOptionsSchema = optionsSchema
  .refine(({ file, rotate, chain }) => file !== undefined || (!rotate && !chain), {
    path: ['file'],
    message: 'must be given for rotate and chain',
  })
  .refine(({ chain, chainKey }) => chain || chainKey === undefined, {
    path: ['chainKey'],
    message: 'is of use with chain: true only',
  });

/** The options of `auditLog` as they are given; all may be left out. */
export type AuditLogOptions = z.input<typeof auditLogOptionsSchema>;

/**
 * An observer that records every tool call, decision, note, error, reasoning and run with pino: to `file`, to `logger`, to both,
 * or, with neither, to the pipeline's own log. A record is in the file when `observe` returns; there is nothing to close.
 * When the file cannot be written later, that is said once in `context.log`, and the run goes on.
 *
 * Calls at once, sub-agents and tries each have records of their own, with the ids of run and call. A run that is resumed names the one that it
 * resumes.
 *
 * Rotation loses no line and splits none, also when several processes write; one of them puts the file aside, with all that is in it. The day
 * is that of the record. In a chain each line says how many bytes stood before it and their SHA-256, across rotated files and restarts, so
 * that a line that was removed, edited, moved or put in shows (`verifyAudit`), if all writers of the file use the chain. It cannot
 * show that the last lines were cut off, and without `chainKey` not that somebody computed all of it anew: note the last hash elsewhere.
 */
export function auditLog(options: AuditLogOptions = {}): Hook {
  const parsed = parseHookOptions('audit-log', auditLogOptionsSchema, options);
  const { name, logger, file, rotate, chain, chainKey, level, redact, ...detail } = parsed;
  let time = 0;
  const place = { rotate, chain: chain ? { key: chainKey } : undefined, now: () => time };
  const sink = file === undefined ? undefined : openAuditFile(file, place);
  const logs = [logger, sink && pino({ base: null, level: 'trace', timestamp: false }, sink)].filter(
    (log) => log !== undefined,
  );
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
        for (const log of logs.length > 0 ? logs : [context.log]) {
          logAt(log, record.failed ? 'error' : level, record.fields, record.name);
        }
      }
      const fault = sink?.takeFault();
      if (fault) context.log.error({ err: fault.error, file: sink?.path }, fault.effect);
    },
  });
}

/** The catalogue entry of `auditLog`. */
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
