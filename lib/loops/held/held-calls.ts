import { firstValueFrom } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { processWide } from '../../events/values/process-wide.ts';
import { memoryStateStore } from '../../store/state/memory-state-store.ts';
import type { StateStore, StoreKey } from '../../store/state/state-store.ts';
import { hasMethods, STATE_STORES } from '../fault-of-hooks.ts';
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
  /**
   * Hears of each yes that is given, and says whether it may count where its call is not kept here: then for the call as it was shown.
   * Without it, such a yes does not count: the call is judged as if nobody had answered.
   */
  admit?(scope: HeldScope, toolCallId: string): boolean;
}

/** Held calls in a state store, by agent, session and id of the tool call. `ttlMs`: default a week. `INPUT_INVALID` where it is no such store. */
export function heldCallsIn(store: StateStore, { ttlMs = 7 * 24 * 3_600_000 }: { ttlMs?: number } = {}): HeldCalls {
  if (!hasMethods(store, ['get', 'set', 'remove']))
    throw new HooklineError('INPUT_INVALID', `heldCallsIn(store): store must be ${STATE_STORES}.`);
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
      return markTaken(parseHeldCall(entry.value));
    },
  };
}

/** How many answered calls are remembered, so that their answers count once. */
const REMEMBERED = 10_000;

/**
 * Held calls of this process, for those who give no store. A call that was shown by another process is not known here: a yes to it counts once by its
 * id, and only where the judged call is the one that was shown.
 */
export function heldCallsInMemory(): HeldCalls {
  const answered = new Set<string>();
  const keyOf = ({ agent, sessionId = '' }: HeldScope, id: string): string => JSON.stringify([agent, sessionId, id]);
  return {
    ...heldCallsIn(memoryStateStore()),
    admit(scope, toolCallId) {
      const key = keyOf(scope, toolCallId);
      const first = !answered.delete(key);
      answered.add(key);
      const [oldest] = answered;
      if (answered.size > REMEMBERED && oldest !== undefined) answered.delete(oldest);
      return first;
    },
  };
}

/** Held calls for a host that keeps answers itself, and gives each to its own question, also when it runs a call from its start once more. */
export function heldWithHost(held: HeldCalls): HeldCalls {
  return {
    keep: (scope, call) => held.keep(scope, call),
    take: (scope, toolCallId) => held.take(scope, toolCallId),
    admit: () => true,
  };
}

/** Held calls that were taken out and have not been used yet. */
const fresh = processWide('takenCalls', () => new WeakSet<HeldCall>());

function markTaken(call: HeldCall): HeldCall {
  fresh.add(call);
  return call;
}

/** Whether a held call was taken out of where it was kept, and is used for the first time. From now on it is used. */
export function useTaken(call: HeldCall): boolean {
  return fresh.delete(call);
}

/** Takes a call out of where it waits. Of all who ask, one gets it. */
export async function takeHeldCall(
  held: HeldCalls | undefined,
  scope: HeldScope,
  id: string,
): Promise<HeldCall | undefined> {
  const call = await held?.take(scope, id);
  return call && markTaken(call);
}

/** Takes the calls of these ids out of where they wait, as far as they do. */
export async function takeHeld(
  held: HeldCalls | undefined,
  scope: HeldScope,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, HeldCall>> {
  const taken = new Map<string, HeldCall>();
  for (const id of ids) {
    const call = await takeHeldCall(held, scope, id);
    if (call) taken.set(id, call);
  }
  return taken;
}
