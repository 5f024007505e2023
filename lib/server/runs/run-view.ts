import { z } from 'zod';
import { callOutcomeSchema } from '../../events/parts/call-outcome.ts';
import { usageSchema } from '../../events/parts/usage.ts';
import { subRunSchema, sumsSchema } from './view/sub-run.ts';

/** A run in responses of the API. A resumed run continues the sums, title and start of the runs before it. */
export const runViewSchema = z.strictObject({
  runId: z.string(),
  user: z.string().exactOptional(),
  /** The name that the user gave to the session. */
  sessionId: z.string(),
  agent: z.string(),
  /** The start of the prompt. */
  title: z.string().exactOptional(),
  scope: z.string().exactOptional(),
  /** `suspended`: the run has pending calls. An active run may have pending calls, too, see `waiting`. */
  state: z.enum(['running', 'suspended', 'ended']),
  /** An active run that a client has paused. It holds before its next model request and tool call. */
  paused: z.literal(true).exactOptional(),
  outcome: callOutcomeSchema.exactOptional(),
  reason: z.string().exactOptional(),
  /** Start time, for a resumed run that of the first run. */
  startedAt: z.iso.datetime(),
  /** The time at which a resumed run continued. */
  resumedAt: z.iso.datetime().exactOptional(),
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
  /** The names of the first fifty called tools, also of sub-agents. */
  tools: z.array(z.string()).exactOptional(),
  /** The number of chunks without trace steps, because there were too many. */
  unreportedChunks: z.int().positive().exactOptional(),
  /** The model of the last request, if the request names one. */
  model: z.string().exactOptional(),
  /** Token usage so far, with sub-agents. */
  usage: usageSchema.exactOptional(),
  /** Cost of the usage; absent if the price of a model is unknown. */
  cost: sumsSchema.shape.cost,
  /** The number of denied calls, with sub-agents. */
  refusals: sumsSchema.shape.refusals,
  /** The start of the message of the last error, also of a sub-agent. */
  lastError: z.string().exactOptional(),
  /** The first fifty sub-agents, parents first. */
  subRuns: z.array(subRunSchema).exactOptional(),
  /** The number of further sub-agents. */
  moreSubRuns: z.int().positive().exactOptional(),
  /** IDs of the pending calls for `GET /api/approvals/:id`. */
  waiting: z.array(z.strictObject({ id: z.string(), tool: z.string() })).exactOptional(),
  /** The IDs of a resumed run and those before it, in order: the first one and the last hundred. */
  parts: z.array(z.string()).exactOptional(),
  resumedFrom: z.string().exactOptional(),
  resumedBy: z.string().exactOptional(),
});

/** Maximum length of a title. */
export const TITLE_LENGTH = 80;

export type RunView = z.infer<typeof runViewSchema>;

/** How a client can control an active run. */
export type RunControl = 'cancel' | 'interrupt' | 'pause' | 'continue';
