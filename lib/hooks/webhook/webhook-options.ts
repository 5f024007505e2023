import { z } from 'zod';
import { eventTypes } from '../../events/decisions/event-rules.ts';
import { timerMs } from '../../events/values/timer-ms.ts';
import { names } from '../name-options.ts';
import { redactOption } from '../text/redact-option.ts';

/** The options of `webhook` with their defaults. */
export const webhookOptionsSchema = z.strictObject({
  name: z.string().min(1).default('webhook').describe('Name of the hook.'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .describe('URL that receives the events.')
    .meta({ local: true }),
  secret: z
    .string()
    .min(16, 'must have at least 16 characters')
    .regex(/^(?!whsec_)|^whsec_(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2,3}={0,2})?$/, 'must have base64 after whsec_')
    .exactOptional()
    .describe(
      'Signs each request as specified by Standard Webhooks: HMAC-SHA256 in webhook-signature. A value with whsec_ is base64.',
    )
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
      message: 'must have names with only letters, digits, _ and -',
    })
    .default({})
    .describe('Additional headers of each request, such as authorization.')
    .meta({ local: true }),
  events: z
    .array(z.enum(eventTypes))
    .min(1, 'must contain at least one event type')
    .default(['preCall', 'postReasoning', 'postActing', 'postCall', 'error'])
    .describe('Event types to post.'),
  agents: names.exactOptional().describe('Agents whose events are posted; * and ? are wildcards (default: all).'),
  maxBatch: z.int().positive().max(10_000).default(50).describe('Maximum number of events per request.'),
  batchMs: timerMs({ zero: true })
    .default(1_000)
    .describe('How long an event waits for others, in milliseconds. The end of a run sends immediately.'),
  maxWaiting: z
    .int()
    .positive()
    .default(10_000)
    .describe('Maximum number of queued events. Above it, the oldest are dropped and counted.'),
  maxEventChars: z
    .int()
    .positive()
    .default(100_000)
    .describe('Maximum number of characters of an event. Of longer texts, the beginning and the end are sent.'),
  attempts: z.int().positive().max(20).default(5).describe('Maximum number of attempts of a request.'),
  retryMs: timerMs()
    .default(1_000)
    .describe('Delay before the second attempt, in milliseconds. It doubles with each further attempt.'),
  timeoutMs: timerMs().default(10_000).describe('Timeout of a request, in milliseconds.'),
  flushMs: timerMs()
    .default(5_000)
    .describe('How long the process waits for queued events when it ends, in milliseconds.'),
  redact: redactOption(''),
});

/** The options of `webhook` before defaults. */
export type WebhookOptions = z.input<typeof webhookOptionsSchema>;
