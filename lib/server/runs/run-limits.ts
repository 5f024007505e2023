import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { timerMs } from '../../events/values/timer-ms.ts';

const count = z.int().positive();
const ms = timerMs().int();

/** What runs over HTTP may take. Times in milliseconds, sizes of journals in characters. */
export const runLimitsSchema = z.strictObject({
  running: count.default(64).describe('Runs at a time.'),
  runningPerUser: count.default(16).describe('Runs of one user at a time.'),
  suspendedPerUser: count
    .default(1_000)
    .describe('Suspended runs of one user that wait in the store, before new runs are refused.'),
  kept: count.default(200).describe('Runs that have ended and are kept with their events, of all users together.'),
  keptText: count
    .default(67_108_864)
    .describe(
      'Characters of events that are kept of runs that have ended, of all together; past it the oldest lose theirs.',
    ),
  keptMs: ms.default(3_600_000).describe('How long they are kept.'),
  clients: count.default(2_000).describe('Streams of events at a time.'),
  clientsPerUser: count.default(100).describe('Streams of events of one user at a time.'),
  journalChunks: count.default(1_048_576).describe('Text of chunks that is kept of a run; past it the oldest go.'),
  journalGates: count.default(16_777_216).describe('Other events that are kept of a run; past it the oldest go.'),
  clientLag: count.default(4_194_304).describe('Events other than chunks that a client may leave untaken.'),
  stallMs: ms.default(60_000).describe('How long a client may take nothing of what waits for it.'),
  heartbeatMs: ms.default(15_000).describe('How often a client that waits gets a sign of life.'),
  startMs: ms.default(30_000).describe('How long a run may take to begin.'),
  cancelMs: ms.default(5_000).describe('How long a cancelled run may take to end.'),
  expireMs: z
    .int()
    .positive()
    .default(7 * 24 * 3_600_000)
    .describe('How long an approval waits for its answer; then the call is denied, and the run goes on.'),
  expireCheckMs: ms.default(60_000).describe('How often that is looked at.'),
  lingerMs: ms.default(2_000).describe('How long clients may take their last events when the server ends.'),
});

export type RunLimits = z.infer<typeof runLimitsSchema>;

/** Limits with their defaults; wrong ones are `OPTIONS_INVALID`. */
export function runLimits(given: z.input<typeof runLimitsSchema> = {}): RunLimits {
  return parseOptions('createRuns(): limits do not fit', runLimitsSchema, given);
}
