import { z } from 'zod';
import { eventTypes } from '../../events/decisions/event-rules.ts';
import { timerMs } from '../../events/values/timer-ms.ts';
import { redactOption } from '../text/redact-option.ts';

/** The options of `webhook` with their defaults. */
export const webhookOptionsSchema = z.strictObject({
  name: z.string().min(1).default('webhook').describe('Name of the hook.'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .describe('Where events are posted to.')
    .meta({ local: true }),
  secret: z
    .string()
    .min(16, 'must have at least 16 characters')
    .exactOptional()
    .describe('Signs each request as Standard Webhooks do: HMAC-SHA256 in webhook-signature. whsec_ is base64.')
    .meta({ secret: true }),
  headers: z
    .record(
      z.string(),
      z
        .string()
        .regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII')
        .meta({ secret: true }),
    )
    .refine((headers) => Object.keys(headers).every((name) => /^[\w-]+$/.test(name)), {
      message: 'must have names of letters, digits, _ and -',
    })
    .default({})
    .describe('Headers of each request, such as authorization.')
    .meta({ local: true }),
  events: z
    .array(z.enum(eventTypes))
    .min(1, 'needs at least one type of event')
    .default(['preCall', 'postReasoning', 'postActing', 'postCall', 'error'])
    .describe('The types of events that are posted.'),
  agents: z
    .array(z.string().min(1))
    .min(1)
    .exactOptional()
    .describe('Of these agents; * and ? are wildcards. Default: of all.'),
  maxBatch: z.int().positive().max(10_000).default(50).describe('How many events one request has at most.'),
  batchMs: timerMs({ zero: true })
    .default(1_000)
    .describe('How long an event waits for others at most, in milliseconds. The end of a run sends at once.'),
  maxWaiting: z
    .int()
    .positive()
    .default(10_000)
    .describe('How many events may wait; then the oldest are lost, and counted.'),
  maxEventChars: z
    .int()
    .positive()
    .default(100_000)
    .describe('How many characters of an event are sent; of more, beginnings and ends.'),
  attempts: z.int().positive().max(20).default(5).describe('How often a request is tried at most.'),
  retryMs: timerMs()
    .default(1_000)
    .describe('How long to wait before the second attempt, in milliseconds; twice as long before each further one.'),
  timeoutMs: timerMs().default(10_000).describe('How long a request may take, in milliseconds.'),
  flushMs: timerMs()
    .default(5_000)
    .describe('How long the end of a process waits for what is still to be sent, at most.'),
  redact: redactOption(''),
});

/** The options of `webhook` as they are given. */
export type WebhookOptions = z.input<typeof webhookOptionsSchema>;
