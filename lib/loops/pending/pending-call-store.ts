import { firstValueFrom } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { processWide } from '../../events/values/process-wide.ts';
import { memoryStateStore } from '../../store/state/memory-state-store.ts';
import type { StateStore, StoreKey } from '../../store/state/state-store.ts';
import { hasMethods, STATE_STORES } from '../check-hooks.ts';
import { type PendingCallRecord, parsePendingCall } from './pending-call-record.ts';

/** The scope of pending calls. Ids of tool calls may repeat in another conversation. */
export interface PendingCallScope {
  readonly agent: string;
  readonly sessionId?: string;
}

/** Stores pending calls until they are answered. */
export interface PendingCallStore {
  /** Stores a call until it is answered or expires. */
  keep(scope: PendingCallScope, pending: PendingCallRecord): Promise<void>;
  /** Removes and returns the call with that id. If several callers compete, one gets it. */
  take(scope: PendingCallScope, toolCallId: string): Promise<PendingCallRecord | undefined>;
  /**
   * Called for each approval whose call is not stored here. Returns true if the approval may count for the call as it was shown. Without this
   * method, it does not count, and the call is evaluated as if it had no answer.
   */
  admit?(scope: PendingCallScope, toolCallId: string): boolean;
}

/**
 * Stores pending calls in a state store, by agent, session and tool call id. `ttlMs` is in milliseconds (default: one week). Throws `INPUT_INVALID`
 * for any other store.
 */
export function pendingCallStore(
  store: StateStore,
  { ttlMs = 7 * 24 * 3_600_000 }: { ttlMs?: number } = {},
): PendingCallStore {
  if (!hasMethods(store, ['get', 'set', 'remove']))
    throw new HooklineError('INPUT_INVALID', `pendingCallStore(store): store must be ${STATE_STORES}.`);
  const keyOf = ({ agent, sessionId = '' }: PendingCallScope, id: string): StoreKey => [
    'pending-calls',
    agent,
    sessionId,
    id,
  ];
  return {
    async keep(scope, pending) {
      await firstValueFrom(
        store.set(keyOf(scope, pending.call.toolCall.id), pending as unknown as JsonValue, { ttlMs }),
      );
    },
    async take(scope, toolCallId) {
      const key = keyOf(scope, toolCallId);
      const entry = await firstValueFrom(store.get(key));
      if (!entry) return undefined;
      try {
        await firstValueFrom(store.remove(key, { ifVersion: entry.version }));
      } catch (thrown) {
        // Another caller took it first.
        if (thrown instanceof HooklineError && thrown.code === 'STORE_CONFLICT') return undefined;
        throw thrown;
      }
      return markTaken(parsePendingCall(entry.value));
    },
  };
}

/** The number of answered calls that are remembered, so that their answers count once. */
const REMEMBERED = 10_000;

/**
 * Stores pending calls in this process. Some adapters use it if no store is given. If another process showed the call, an approval counts once by
 * its id, and only if the evaluated call is the one that was shown.
 */
export function memoryPendingCallStore(): PendingCallStore {
  const answered = new Set<string>();
  const keyOf = ({ agent, sessionId = '' }: PendingCallScope, id: string): string =>
    JSON.stringify([agent, sessionId, id]);
  return {
    ...pendingCallStore(memoryStateStore()),
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

/**
 * Stores pending calls for a host that stores answers itself. The host returns each answer for its own prompt, also when it runs a call again from
 * its start.
 */
export function hostPendingCallStore(pendingCalls: PendingCallStore): PendingCallStore {
  return {
    keep: (scope, call) => pendingCalls.keep(scope, call),
    take: (scope, toolCallId) => pendingCalls.take(scope, toolCallId),
    admit: () => true,
  };
}

/** Pending calls that were taken out and not used yet. */
const fresh = processWide('takenCalls', () => new WeakSet<PendingCallRecord>());

function markTaken(call: PendingCallRecord): PendingCallRecord {
  fresh.add(call);
  return call;
}

/** Returns true if a pending call was taken out of its store and is used for the first time. Marks it as used. */
export function useTaken(call: PendingCallRecord): boolean {
  return fresh.delete(call);
}

/** Removes and returns a pending call. If several callers compete, one gets it. */
export async function takePendingCall(
  pendingCalls: PendingCallStore | undefined,
  scope: PendingCallScope,
  id: string,
): Promise<PendingCallRecord | undefined> {
  const call = await pendingCalls?.take(scope, id);
  return call && markTaken(call);
}

/** Removes and returns the pending calls with these ids. */
export async function takePendingCalls(
  pendingCalls: PendingCallStore | undefined,
  scope: PendingCallScope,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, PendingCallRecord>> {
  const taken = new Map<string, PendingCallRecord>();
  for (const id of ids) {
    const call = await takePendingCall(pendingCalls, scope, id);
    if (call) taken.set(id, call);
  }
  return taken;
}
