import { type Logger, pino } from 'pino';
import { z } from 'zod';
import { defineHook } from '../pipeline/define-hook.ts';
import type { Hook } from '../pipeline/hook.ts';
import { HookPriority } from '../pipeline/hook-priority.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { openAuditFile } from './audit-file.ts';
import { createAuditRecords } from './audit-records.ts';
import { parseOptions } from './parse-options.ts';
import { usualRedactor } from './usual-redactor.ts';

/** The options of `auditLog` with their defaults. */
export const auditLogOptionsSchema = z.strictObject({
  name: z.string().min(1).default('audit-log').describe('Name of the hook.'),
  logger: z
    .custom<Logger>((value) => typeof (value as Logger | null)?.info === 'function', 'must be a pino logger')
    .optional()
    .describe('A pino logger that gets the records.'),
  file: z.string().min(1).optional().describe('A file that the records are appended to, one JSON object a line.'),
  args: z.boolean().default(true).describe('Whether the arguments of tool calls are recorded.'),
  results: z
    .union([z.boolean(), z.int().positive()], 'must be true, false or a number of characters')
    .default(false)
    .describe('Whether the results of tool calls are recorded; a number bounds their characters.'),
  chunks: z.boolean().default(false).describe('Whether streamed chunks are recorded, their text included.'),
  redact: z
    .union(
      [z.boolean(), z.custom<Redactor>((value) => typeof (value as Redactor | null)?.stream === 'function')],
      'must be true, false or a redactor',
    )
    .default(true)
    .describe('Whether secrets are taken out of the records; a redactor of your own knows more of them.'),
  level: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
    .default('info')
    .describe('Level of the records; failures have level error.'),
});

/** The options of `auditLog` as they are given; all may be left out. */
export type AuditLogOptions = z.input<typeof auditLogOptionsSchema>;

/**
 * An observer that records every tool call, decision, note, error, reasoning and run with pino: to `file`, to `logger`, to both,
 * or, with neither, to the pipeline's own log. A record is in the file when `observe` returns; there is nothing to close.
 * When the file cannot be written later, that is said once in `context.log`, and the run goes on.
 */
export function auditLog(options: AuditLogOptions = {}): Hook {
  const { name, logger, file, level, redact, ...detail } = parseOptions('audit-log', auditLogOptionsSchema, options);
  const sink = file === undefined ? undefined : openAuditFile(file);
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
      for (const record of recordsOf(event)) {
        for (const log of logs.length > 0 ? logs : [context.log]) {
          log[record.failed ? 'error' : level](record.fields, record.name);
        }
      }
      const fault = sink?.takeFault();
      if (fault)
        context.log.error({ err: fault, file: sink?.path }, 'the audit file cannot be written; records may be lost');
    },
  });
}
