import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstValueFrom } from 'rxjs';
import { propertyOf } from '../../../errors/describe-thrown.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { isAlive } from '../../../processes/is-alive.ts';
import type { StateEntry, StateStore, StoreKey } from '../../../store/state/state-store.ts';
import type { HostMoment } from './host-moment.ts';

/** How long an idle session is kept. */
const TTL_MS = 7 * 24 * 3_600_000;

/** If a process on another machine crashes during an evaluation, it blocks the others of its session for this time at most. */
const LOCK_MS = 30_000;
/** Owner of a lock. A lock is released if its owner on this machine is dead, such as a hook that the watchdog killed. */
const me = { host: hostname(), pid: process.pid };

const LOOK_MS = 10;

/** The result of an event, and the state after it. */
interface Judged<T> {
  readonly result: T;
  readonly state: JsonObject;
}

/**
 * Evaluates an event with the `context.state` of earlier events of its session. Each event is a separate run, often in a separate process. A prompt
 * of the user resets the state, and a sub-agent has separate state. Events of a session with state are evaluated in order. Concurrent first events
 * are evaluated again if another one was faster. Rejects with the reason of `signal`.
 */
export async function withSessionState<T>(
  store: StateStore,
  host: string,
  { session, agent = '', kind }: Pick<HostMoment, 'session' | 'agent' | 'kind'>,
  signal: AbortSignal,
  judge: (state: JsonObject) => Promise<Judged<T>>,
): Promise<T> {
  const key: StoreKey = [`${host}-session`, session, agent];
  const lock: StoreKey = [`${host}-session-lock`, session, agent];
  const read = async () => (await firstValueFrom(store.get(key)))?.value as JsonObject | undefined;
  const write = async (before: JsonObject, state: JsonObject, change: object) => {
    if (canonicalJson(state) === canonicalJson(before)) return;
    await firstValueFrom(store.set(key, { ...before, ...state }, { ttlMs: TTL_MS, ...change }));
  };
  if (kind === 'prompt') await firstValueFrom(store.remove(key));
  if ((await read()) === undefined) {
    const { result, state } = await judge({});
    try {
      await write({}, state, { ifVersion: 0 });
      return result;
    } catch (thrown) {
      if (!isConflict(thrown)) throw thrown;
    }
  }
  const { version } = await take(store, lock, signal);
  try {
    const before = (await read()) ?? {};
    const { result, state } = await judge(before);
    await write(before, state, {});
    return result;
  } finally {
    // After its timeout, the lock may belong to another process.
    await firstValueFrom(store.remove(lock, { ifVersion: version })).catch((thrown: unknown) => {
      if (!isConflict(thrown)) throw thrown;
    });
  }
}

async function take(store: StateStore, lock: StoreKey, signal: AbortSignal): Promise<StateEntry> {
  for (;;) {
    signal.throwIfAborted();
    const held = await firstValueFrom(store.get(lock));
    const ifVersion = held && hasDied(held) ? held.version : 0;
    try {
      return await firstValueFrom(store.set(lock, me, { ifVersion, ttlMs: LOCK_MS }));
    } catch (thrown) {
      if (!isConflict(thrown)) throw thrown;
      await sleep(LOOK_MS);
    }
  }
}

function hasDied({ value }: StateEntry): boolean {
  const { host, pid } = value as Partial<typeof me>;
  return host === me.host && typeof pid === 'number' && !isAlive(pid);
}

function isConflict(thrown: unknown): boolean {
  return propertyOf(thrown, 'code') === 'STORE_CONFLICT';
}
