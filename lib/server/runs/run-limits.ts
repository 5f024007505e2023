import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { timerMs } from '../../events/values/timer-ms.ts';

const count = z.int().positive();
const ms = timerMs().int();

/** Limits of runs over HTTP. Times are in milliseconds, sizes of journals in characters. */
export const runLimitsSchema = z.strictObject({
  running: count.default(64).describe('Active runs.'),
  runningPerUser: count.default(16).describe('Active runs per user.'),
  suspendedPerUser: count
    .default(1_000)
    .describe('Suspended runs per user. At the limit, the server rejects new runs.'),
  kept: count.default(200).describe('Ended runs that are kept with their events, of all users.'),
  keptText: count
    .default(67_108_864)
    .describe(
      'Characters of events that are kept of all ended runs. Above the limit, the oldest runs lose their events.',
    ),
  keptMs: ms.default(3_600_000).describe('How long ended runs are kept.'),
  clients: count.default(2_000).describe('Open event streams.'),
  clientsPerUser: count.default(100).describe('Open event streams per user.'),
  journalChunks: count
    .default(1_048_576)
    .describe('Characters of chunks that are kept of a run. Above the limit, the oldest are dropped.'),
  journalGates: count
    .default(16_777_216)
    .describe('Other events that are kept of a run. Above the limit, the oldest are dropped.'),
  clientLag: count.default(4_194_304).describe('Unread events, other than chunks, per client.'),
  stallMs: ms.default(60_000).describe('How long a client may read nothing while events are queued.'),
  heartbeatMs: ms.default(15_000).describe('Interval of keep-alive comments.'),
  startMs: ms.default(30_000).describe('Timeout for the start of a run.'),
  cancelMs: ms.default(5_000).describe('Timeout for the end of a cancelled run.'),
  expireMs: z
    .int()
    .positive()
    .default(7 * 24 * 3_600_000)
    .describe('Timeout of an approval. The call is then denied, and the run continues.'),
  expireCheckMs: ms.default(60_000).describe('Interval of the check for expired approvals.'),
  lingerMs: ms.default(2_000).describe('How long clients can read their last events when the server shuts down.'),
});

export type RunLimits = z.infer<typeof runLimitsSchema>;

/** Applies the defaults. Invalid limits are `OPTIONS_INVALID`. */
export function runLimits(given: z.input<typeof runLimitsSchema> = {}): RunLimits {
  return parseOptions('createRuns(): invalid limits', runLimitsSchema, given);
}
