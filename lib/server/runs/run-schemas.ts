import { z } from 'zod';
import { hookEventSchema } from '../../events/hook-event.ts';
import { callOutcomeSchema } from '../../events/parts/call-outcome.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';
import { traceStepSchema } from '../../hooks/recorder/recording-format.ts';
import { filterNames } from './view/filter-runs.ts';

/** A run with a new prompt, or one that repeats the last turn of a session. */
export const startRequestSchema = z
  .strictObject({
    prompt: z.string().min(1).exactOptional().describe('Required, unless the run repeats a turn.'),
    regenerate: z
      .literal(true)
      .exactOptional()
      .describe('Removes the last answer of the session and runs its last prompt again.'),
    sessionId: z
      .string()
      .min(1)
      .max(128)
      .exactOptional()
      .describe('Session to continue, one of yours (default: a new session).'),
    scope: z.string().min(1).exactOptional().describe('Scope whose hooks apply below your own.'),
    metadata: jsonObjectSchema.exactOptional(),
    maxIterations: z.int().positive().max(1_000).exactOptional(),
  })
  .superRefine(({ prompt, regenerate, sessionId }, context) => {
    const issue = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (!regenerate && prompt === undefined) issue('prompt', 'expected string');
    if (regenerate && prompt !== undefined) issue('prompt', 'has no effect with regenerate; remove one of them');
    if (regenerate && sessionId === undefined) issue('sessionId', 'expected the session to repeat a turn of');
  });

export const pageQuerySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .default('20'),
  after: z.string().exactOptional().describe('`next` of the previous page (default: the first page).'),
  state: z
    .enum(['running', 'suspended', 'waiting', 'ended'])
    .exactOptional()
    .describe('`waiting`: with pending calls, suspended or active.'),
  outcome: callOutcomeSchema.exactOptional(),
  session: z.string().min(1).exactOptional(),
  agent: z.string().min(1).exactOptional(),
  filter: z
    .string()
    .max(500)
    .exactOptional()
    .describe(
      `Words, quoted text and conditions that all match, such as \`deploy "exit code" tool:bash cost>0.5\`. Conditions: ${filterNames.join(', ')} (also with <). Words match prompts, answers, calls and results.`,
    ),
  from: z.iso.datetime({ offset: true }).exactOptional().describe('Started at this time or later.'),
  to: z.iso.datetime({ offset: true }).exactOptional().describe('Started before this time.'),
});

export const eventsQuerySchema = z.strictObject({
  lastEventId: z.string().exactOptional().describe('Same as the header Last-Event-ID, which takes precedence.'),
});

/** An error response with additional fields for the client. */
export const problemSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** A response with an error, in the OpenAPI document. */
export const problem = (description: string) => ({ description, schema: problemSchema });

/** The responses of a route that streams events, if there are too many streams. */
export const streamLimits = {
  429: problem('You have too many open streams.'),
  503: problem('The server has too many open streams.'),
};

/** The data of an event of a run's stream: one of the nine events, or an event of the stream itself. */
export const runEventSchema = z
  .union([
    hookEventSchema,
    z
      .strictObject({ runId: z.string(), seq: z.int(), steps: z.array(traceStepSchema) })
      .describe('trace: the effect of each hook on the next event.'),
    z.strictObject({ chunks: z.int().positive() }).describe('lost: number of chunks that are no longer stored.'),
    z.strictObject({ gates: z.int().positive() }).describe('lost: number of other events that are no longer stored.'),
    z.strictObject({ runId: z.string() }).describe('resumed: the run continues as this run.'),
    z
      .strictObject({ outcome: callOutcomeSchema.exactOptional(), reason: z.string().exactOptional() })
      .describe('broken: the run ended without postCall.'),
  ])
  .meta({ id: 'RunEvent' });
