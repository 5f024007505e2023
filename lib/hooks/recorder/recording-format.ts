import { z } from 'zod';
import { runInfoSchema } from '../../events/parts/run-info.ts';
import { jsonValueSchema } from '../../events/values/json-value.ts';

/** The format version of recordings. Readers accept only this version, so an additional field in a released format needs a new one, too. */
export const RECORDING_VERSION = 1;

/** The first line of a recording. */
export const recordingHeadSchema = z.strictObject({
  format: z.literal('hookline-recording'),
  version: z.int().positive(),
  /** The version of the events. */
  events: z.int().positive(),
  /** The run. Its sub-agents are in the same recording. */
  run: runInfoSchema,
  redacted: z.boolean(),
  /** The version of the package that recorded the run. */
  hookline: z.string().exactOptional(),
  /** The hooks of the run. Those of a configuration have the digest of their options. */
  hooks: z
    .array(z.strictObject({ name: z.string(), kind: z.string().exactOptional(), digest: z.string().exactOptional() }))
    .exactOptional(),
});

/** The parts that an event has in common with the previous event of its type in the same run. */
const sameSchema = z.strictObject({
  /** The number of omitted initial messages. */
  messages: z.int().nonnegative(),
  /** Whether the tools are omitted. */
  tools: z.boolean(),
});

const changeSchema = z.strictObject({
  path: z.string(),
  before: jsonValueSchema.exactOptional(),
  after: jsonValueSchema.exactOptional(),
  cut: z.literal(true).exactOptional(),
});

/** The effect of one hook on an event, see `TraceStep`. */
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

/** Any other line: an event with the effects of hooks, or the number of missing events. */
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
/** The parts that an event has in common with the previous one. */
export type Same = z.infer<typeof sameSchema>;
