import { z } from 'zod';
import { usageSchema } from '../../events/parts/usage.ts';
import { callOutcomeSchema } from '../../events/post-call.ts';

/** A run in responses of the API. */
export const runViewSchema = z.strictObject({
  runId: z.string(),
  /** The name that the user gave to the session. */
  sessionId: z.string(),
  agent: z.string(),
  /** The start of the prompt. */
  title: z.string().exactOptional(),
  scope: z.string().exactOptional(),
  /** `suspended`: the run has pending calls. */
  state: z.enum(['running', 'suspended', 'ended']),
  outcome: callOutcomeSchema.exactOptional(),
  reason: z.string().exactOptional(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().exactOptional(),
  /** The number of model steps. */
  iteration: z.int().nonnegative().exactOptional(),
  /** The active model step or tools, and their start time. */
  doing: z
    .strictObject({
      what: z.enum(['reasoning', 'acting']),
      tools: z.array(z.string()).exactOptional(),
      since: z.iso.datetime(),
    })
    .exactOptional(),
  /** The first twenty hooks that made a decision. */
  decidedBy: z.array(z.string()).exactOptional(),
  /** The number of chunks without trace steps, because there were too many. */
  unreportedChunks: z.int().positive().exactOptional(),
  /** The model of the last request, if the request names one. */
  model: z.string().exactOptional(),
  /** Token usage so far. */
  usage: usageSchema.exactOptional(),
  /** IDs of the pending calls for `GET /api/approvals/:id`. */
  waiting: z.array(z.strictObject({ id: z.string(), tool: z.string() })).exactOptional(),
  resumedFrom: z.string().exactOptional(),
  /** The run that resumed this one. */
  resumedBy: z.string().exactOptional(),
});

/** Maximum length of a title. */
export const TITLE_LENGTH = 80;

export type RunView = z.infer<typeof runViewSchema>;
