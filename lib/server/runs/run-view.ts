import { z } from 'zod';
import { usageSchema } from '../../events/parts/usage.ts';
import { callOutcomeSchema } from '../../events/post-call.ts';

/** A run as the API shows it. */
export const runViewSchema = z.strictObject({
  runId: z.string(),
  /** As whoever started the run named it. */
  sessionId: z.string(),
  agent: z.string(),
  /** How the prompt begins. */
  title: z.string().exactOptional(),
  scope: z.string().exactOptional(),
  /** `suspended`: calls wait for an answer. */
  state: z.enum(['running', 'suspended', 'ended']),
  outcome: callOutcomeSchema.exactOptional(),
  reason: z.string().exactOptional(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().exactOptional(),
  /** How often the model has been asked. */
  iteration: z.int().nonnegative().exactOptional(),
  /** What goes on now: the model is asked, or tools run; since when. */
  doing: z
    .strictObject({
      what: z.enum(['reasoning', 'acting']),
      tools: z.array(z.string()).exactOptional(),
      since: z.iso.datetime(),
    })
    .exactOptional(),
  /** The hooks that have decided something, the first twenty. */
  decidedBy: z.array(z.string()).exactOptional(),
  /** Of so many chunks it is not told what hooks did to them: there were too many. */
  untoldChunks: z.int().positive().exactOptional(),
  /** The model that was asked last, where the request names one. */
  model: z.string().exactOptional(),
  /** Of all that the model has answered so far. */
  usage: usageSchema.exactOptional(),
  /** The calls that wait for an answer, as `GET /api/approvals/:id` tells them. */
  waiting: z.array(z.strictObject({ id: z.string(), tool: z.string() })).exactOptional(),
  resumedFrom: z.string().exactOptional(),
  /** The run that goes on where this one was suspended. */
  resumedBy: z.string().exactOptional(),
});

/** Of a prompt, as a title. */
export const TITLE_LENGTH = 80;

export type RunView = z.infer<typeof runViewSchema>;
