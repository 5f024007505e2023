import { firstValueFrom } from 'rxjs';
import { HooklineError } from '../errors.ts';
import type { JsonValue } from '../events/values/json-value.ts';
import type { StateStore, StoreKey } from '../store/state/state-store.ts';
import { type HeldCall, parseHeldCall } from './held-call.ts';

/** Whose calls they are: ids of tool calls may come again in another conversation. */
export interface HeldScope {
  readonly agent: string;
  readonly sessionId?: string;
}

/** Where held calls wait for their answers. */
export interface HeldCalls {
  /** Keeps a call until it is answered, or expires. */
  keep(scope: HeldScope, held: HeldCall): Promise<void>;
  /** The call of that id, which is taken out: of all who ask, one gets it. */
  take(scope: HeldScope, toolCallId: string): Promise<HeldCall | undefined>;
}

/** Held calls in a state store, by agent, session and id of the tool call. `ttlMs`: default a week. */
export function heldCallsIn(store: StateStore, { ttlMs = 7 * 24 * 3_600_000 }: { ttlMs?: number } = {}): HeldCalls {
  const keyOf = ({ agent, sessionId = '' }: HeldScope, id: string): StoreKey => ['held-calls', agent, sessionId, id];
  return {
    async keep(scope, held) {
      await firstValueFrom(store.set(keyOf(scope, held.call.toolCall.id), held as unknown as JsonValue, { ttlMs }));
    },
    async take(scope, toolCallId) {
      const key = keyOf(scope, toolCallId);
      const entry = await firstValueFrom(store.get(key));
      if (!entry) return undefined;
      try {
        await firstValueFrom(store.remove(key, { ifVersion: entry.version }));
      } catch (thrown) {
        // Somebody was quicker.
        if (thrown instanceof HooklineError && thrown.code === 'STORE_CONFLICT') return undefined;
        throw thrown;
      }
      return parseHeldCall(entry.value);
    },
  };
}
