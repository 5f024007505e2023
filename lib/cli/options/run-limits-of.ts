import { readTime } from '../../config/amounts.ts';
import type { NativeConfig } from '../../config/index.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import type { RunsOptions } from '../../server/index.ts';

type Limits = NonNullable<NonNullable<NativeConfig['server']>['limits']>;

/** Converts the limits of runs from a configuration. */
export function runLimitsOf(
  { runs, runsPerUser, suspendedPerUser, streams, streamsPerUser }: Limits,
  expireAfter: string | undefined,
): NonNullable<RunsOptions['limits']> {
  return withoutUndefined({
    running: runs,
    runningPerUser: runsPerUser,
    suspendedPerUser,
    clients: streams,
    clientsPerUser: streamsPerUser,
    expireMs: expireAfter === undefined ? undefined : readTime(expireAfter),
  });
}
