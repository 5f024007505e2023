import { forkJoin, map, type Observable } from 'rxjs';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { userOf } from '../../events/parts/user-of.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import { sha256Hex } from '../../hashes/sha256.ts';
import type { SeenCall } from '../../permission-rules/call-rule.ts';
import type { StateStore, StoreKey } from '../../store/state/state-store.ts';

/** Milliseconds until the grants of a session expire. */
const SESSION_MS = 30 * 24 * 60 * 60_000;

/** The grants of a session: for the same tool if the same rules cover the whole call, otherwise for exactly the same call. */
export interface SessionGrants {
  /** Returns the rules without a grant. Without rules it checks the call, and returns `[undefined]` if it has no grant. */
  missing(call: SeenCall, rules: Bound, run: RunInfo): Observable<Bound>;
  add(call: SeenCall, rules: Bound, run: RunInfo): Observable<unknown>;
}

/** The scope of a grant: rules, or with `undefined` the call itself. */
export type Bound = readonly (string | undefined)[];

export function sessionGrants(store: StateStore, hook: string): SessionGrants {
  const keyOf = ({ own, input }: SeenCall, rule: string | undefined, run: RunInfo): StoreKey => {
    const bound = rule === undefined ? { tool: own, input } : { tool: own, rule };
    const hash = sha256Hex(canonicalJson(bound));
    return ['permission', hook, userOf(run) ?? '', run.sessionId, hash];
  };
  return {
    missing: (call, rules, run) =>
      forkJoin(rules.map((rule) => store.get(keyOf(call, rule, run)))).pipe(
        map((entries) => rules.filter((_, at) => entries[at] === undefined)),
      ),
    add: (call, rules, run) =>
      forkJoin(
        rules.map((rule) => {
          const value = { tool: call.own, ...(rule !== undefined && { rule }) };
          return store.set(keyOf(call, rule, run), value, { ttlMs: SESSION_MS });
        }),
      ),
  };
}
