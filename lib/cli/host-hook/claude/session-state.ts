import { firstValueFrom } from 'rxjs';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { StateStore, StoreKey } from '../../../store/state/state-store.ts';
import { updateState } from '../../../store/state/update-state.ts';
import type { ClaudeMoment } from './claude-input.ts';

/** How long an idle session is remembered. */
const TTL_MS = 7 * 24 * 3_600_000;

/** What hooks keep by `context.state` from one event of a session to the next: each event is a run of its own, often in a process of its own. */
export interface SessionState {
  /** The state that earlier events have left; none at the user's prompt, which begins another turn. */
  read(): Promise<JsonObject>;
  /** Keeps what this event has changed, beside what others of the session have changed meanwhile. */
  write(state: JsonObject): Promise<void>;
}

/** The state of the session that an event belongs to; a sub-agent has one of its own. */
export function sessionState(store: StateStore, moment: ClaudeMoment): SessionState {
  const { session_id, agent_id = '', hook_event_name } = moment;
  const key: StoreKey = ['claude-session', session_id, agent_id];
  const begins = hook_event_name === 'UserPromptSubmit';
  let before: JsonObject = {};
  return {
    async read() {
      if (!begins) before = ((await firstValueFrom(store.get(key)))?.value ?? {}) as JsonObject;
      return before;
    },
    async write(state) {
      const changed = Object.entries(state).filter(
        ([name, value]) => before[name] === undefined || canonicalJson(before[name]) !== canonicalJson(value),
      );
      if (begins) await firstValueFrom(store.remove(key));
      if (changed.length === 0) return;
      await firstValueFrom(
        updateState(store, key, (value) => {
          const kept = (value ?? {}) as JsonObject;
          // What is new on both sides may have been only read here.
          const own = changed.filter(([name]) => before[name] !== undefined || kept[name] === undefined);
          return { value: { ...kept, ...Object.fromEntries(own) }, ttlMs: TTL_MS, result: true };
        }),
      );
    },
  };
}
