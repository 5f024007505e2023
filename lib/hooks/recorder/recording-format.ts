import { z } from 'zod';
import { runInfoSchema } from '../../events/parts/run-info.ts';
import { jsonValueSchema } from '../../events/values/json-value.ts';

/** The version of the format of recordings, which readers take alone: once one is released, a member more is a new version, too. */
export const RECORDING_VERSION = 1;

/** The first line of a recording. */
export const recordingHeadSchema = z.strictObject({
  format: z.literal('hookline-recording'),
  version: z.int().positive(),
  /** The version of the events. */
  events: z.int().positive(),
  /** The run; its sub-agents are in the same recording. */
  run: runInfoSchema,
  redacted: z.boolean(),
});

/** What an event has in common with the event of its type before it, of the same run. */
const sameSchema = z.strictObject({
  /** So many messages at the beginning are left out. */
  messages: z.int().nonnegative(),
  /** The tools are left out. */
  tools: z.boolean(),
});

const changeSchema = z.strictObject({
  path: z.string(),
  before: jsonValueSchema.exactOptional(),
  after: jsonValueSchema.exactOptional(),
  cut: z.literal(true).exactOptional(),
});

/** What one hook did to an event, see `TraceStep`. */
export const traceStepSchema = z.strictObject({
  hook: z.string(),
  priority: z.number(),
  stage: z.enum(['on', 'through', 'around', 'approve']),
  effect: z.enum(['passed', 'changed', 'decided', 'skipped', 'failed']),
  paths: z.array(z.string()).exactOptional(),
  changes: z.array(changeSchema).exactOptional(),
  decision: z.string().exactOptional(),
  reason: z.string().exactOptional(),
  ms: z.number(),
});

/** Any other line: an event with what hooks did to it, or how many events are missing. */
export const recordingLineSchema = z.union([
  z.strictObject({
    event: z.looseObject({ type: z.string() }),
    same: sameSchema.exactOptional(),
    steps: z.array(traceStepSchema).exactOptional(),
  }),
  z.strictObject({ lost: z.int().positive() }),
]);

/** The first line of a recording. */
export type RecordingHead = z.infer<typeof recordingHeadSchema>;
/** What an event has in common with the one before it. */
export type Same = z.infer<typeof sameSchema>;
