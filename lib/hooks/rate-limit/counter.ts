import type { RunInfo } from '../../events/parts/run-info.ts';
import { userOf } from '../../events/parts/user-of.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import type { StoreKey } from '../../store/state/state-store.ts';
import { countedUser } from '../without-user.ts';
import type { Limit } from './rate-limit-options.ts';

/** A limit with its store keys. */
export interface Counter extends Limit {
  readonly key: (run: RunInfo, tool: string) => StoreKey;
  applies(tool: string): boolean;
}

/** Creates the counter of a limit. Its keys begin with `prefix`. */
export function createCounter(limit: Limit, prefix: readonly [string, ...string[]]): Counter {
  const tools = limit.tools && createMatcher(limit.tools);
  const scopes: Readonly<Record<Limit['per'][number], (run: RunInfo, tool: string) => string>> = {
    tool: (_, tool) => tool,
    user: (run) => countedUser(run, run.sessionId, limit.withoutUser),
    session: (run) => JSON.stringify([userOf(run) ?? '', run.sessionId]),
    agent: ({ agent }) => agent,
    run: ({ runId }) => runId,
  };
  return {
    ...limit,
    key: (run, tool) => ['rate-limit', ...prefix, ...limit.per.flatMap((one) => [one, scopes[one](run, tool)])],
    applies: (tool) => tools?.(tool) ?? true,
  };
}
