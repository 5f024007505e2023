import { createHash } from 'node:crypto';
import { map, type Observable } from 'rxjs';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { SeenCall } from '../../permission-rules/call-rule.ts';
import type { StateStore, StoreKey } from '../../store/state/state-store.ts';

/** After so many milliseconds a session is over for what was granted in it. */
const SESSION_MS = 30 * 24 * 60 * 60_000;

/** What somebody has allowed for a session: the same tool where the same rule asks about the whole call, otherwise the very same call. */
export interface SessionGrants {
  has(call: SeenCall, rule: string | undefined, run: RunInfo): Observable<boolean>;
  add(call: SeenCall, rule: string | undefined, run: RunInfo): Observable<unknown>;
}

export function sessionGrants(store: StateStore, hook: string): SessionGrants {
  const keyOf = ({ own, input }: SeenCall, rule: string | undefined, { sessionId, userId = '' }: RunInfo): StoreKey => {
    const bound = rule === undefined ? { tool: own, input } : { tool: own, rule };
    const hash = createHash('sha256').update(canonicalJson(bound)).digest('hex');
    return ['permission', hook, userId, sessionId, hash];
  };
  return {
    has: (call, rule, run) => store.get(keyOf(call, rule, run)).pipe(map((entry) => entry !== undefined)),
    add: (call, rule, run) =>
      store.set(keyOf(call, rule, run), { tool: call.own, ...(rule !== undefined && { rule }) }, { ttlMs: SESSION_MS }),
  };
}
