import { z } from 'zod';
import { hookEventSchema } from '../../events/hook-event.ts';
import { callOutcomeSchema } from '../../events/post-call.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';
import { traceStepSchema } from '../../hooks/recorder/recording-format.ts';

export const runWishSchema = z.strictObject({
  prompt: z.string().min(1),
  sessionId: z
    .string()
    .min(1)
    .max(128)
    .exactOptional()
    .describe('The conversation to go on with; yours only. Default: a new one.'),
  scope: z.string().min(1).exactOptional().describe('The scope whose hooks lie below your own.'),
  metadata: jsonObjectSchema.exactOptional(),
  maxIterations: z.int().positive().max(1_000).exactOptional(),
});

export const pageQuerySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .default('20'),
  after: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT[\d:.]+Z_./, 'must be `next` of the page before')
    .exactOptional()
    .describe('`next` of the page before.'),
  state: z.enum(['running', 'suspended', 'ended']).exactOptional(),
  outcome: callOutcomeSchema.exactOptional(),
  session: z.string().min(1).exactOptional(),
  agent: z.string().min(1).exactOptional(),
  filter: z
    .string()
    .max(500)
    .exactOptional()
    .describe(
      'Words that a run has: `agent:coder outcome:failed` and such in that member, others anywhere in what a list shows of it.',
    ),
  from: z.iso.datetime({ offset: true }).exactOptional().describe('Begun at this time or later.'),
  to: z.iso.datetime({ offset: true }).exactOptional().describe('Begun before this time.'),
});

export const eventsQuerySchema = z.strictObject({
  lastEventId: z.string().exactOptional().describe('Like the header Last-Event-ID, which counts where both are there.'),
});

/** What an error looks like, with what the client needs to know besides. */
export const problemSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** The data of an event of a run's stream: one of the nine, or what the stream itself has to say. */
export const runEventSchema = z
  .union([
    hookEventSchema,
    z
      .strictObject({ runId: z.string(), seq: z.int(), steps: z.array(traceStepSchema) })
      .describe('trace: what each hook did to the event that comes next.'),
    z.strictObject({ chunks: z.int().positive() }).describe('lost: so many chunks are not kept any more.'),
    z.strictObject({ gates: z.int().positive() }).describe('lost: so many other events are not kept any more.'),
    z.strictObject({ runId: z.string() }).describe('resumed: the run goes on as that one.'),
    z
      .strictObject({ outcome: callOutcomeSchema.exactOptional(), reason: z.string().exactOptional() })
      .describe('broken: it ended without postCall.'),
  ])
  .meta({ id: 'RunEvent' });
