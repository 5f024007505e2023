import { randomUUID } from 'node:crypto';
import { concatMap, defer, from, map, type Observable, of, reduce } from 'rxjs';
import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { sessionOf, userOf } from '../../events/parts/user-of.ts';
import type { StateStore, StoreKey } from '../../store/state/state-store.ts';
import { updateState } from '../../store/state/update-state.ts';
import type { MemorySettings } from './long-term-memory-options.ts';

export const memorySchema = z.strictObject({ id: z.string(), text: z.string(), at: z.number(), sessionId: z.string() });
const keptSchema = z.strictObject({ format: z.literal(1), memories: z.array(memorySchema) });

/** A memory. `at` is the time of the exchange in milliseconds since 1970; `sessionId` is its session. */
export type Memory = Readonly<z.infer<typeof memorySchema>>;

/** The owner of memories: a user with all sessions, or one session. A blank `userId` is ignored. */
export interface MemoryOwner {
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** The stored memories of one owner. `version` differs after each change, and is 0 if there are none. */
export interface KeptMemories {
  readonly version: number;
  readonly memories: readonly Memory[];
}

/** The memories of all owners, the oldest first. */
export interface Memories {
  keyOf(owner: MemoryOwner): StoreKey;
  /** Returns whether memories of a run by `one` belong to `owner`. */
  isOf(one: MemoryOwner, owner: MemoryOwner): boolean;
  /** Reads the memories that a run of this owner recalls. */
  read(owner: MemoryOwner, now: number): Observable<KeptMemories>;
  /** Lists all memories of the owner, regardless of the current `per`. */
  list(owner: MemoryOwner, now: number): Observable<readonly Memory[]>;
  add(owner: MemoryOwner, memories: readonly Memory[], now: number): Observable<void>;
  /** Deletes one memory, or all. Emits the number of deleted memories. */
  forget(owner: MemoryOwner, id?: string): Observable<number>;
}

/** Creates a memory of a current exchange. */
export function makeMemory(text: string, sessionId: string, at: number): Memory {
  return { id: randomUUID(), text, at, sessionId };
}

/** Keeps memories in a store, within the limits of the settings. Several processes may add to them concurrently. */
export function createMemories(store: StateStore, { name, per, maxAgeMs, maxChars }: MemorySettings): Memories {
  const ofUser = (user: string): StoreKey => ['long-term-memory', name, 'user', user];
  const ofSessions = (user: string): StoreKey => ['long-term-memory', name, 'session', user];

  function keyOf(owner: MemoryOwner): StoreKey {
    const user = userOf(owner);
    const sessionId = sessionOf(owner);
    if (per === 'user' && user !== undefined) return ofUser(user);
    if (sessionId !== undefined) return [...ofSessions(user ?? ''), sessionId];
    throw new HooklineError(
      'INPUT_INVALID',
      "Memories belong to a user or a session. Pass a userId or a sessionId, such as { userId: 'ann' }.",
    );
  }

  /** Returns the user of an owner that names no session. */
  function wholeUser(owner: MemoryOwner): string | undefined {
    return sessionOf(owner) === undefined ? userOf(owner) : undefined;
  }

  function keysOf(owner: MemoryOwner): Observable<readonly StoreKey[]> {
    const user = wholeUser(owner);
    if (user === undefined) return of([keyOf(owner)]);
    return store.list(ofSessions(user)).pipe(map((keys) => [ofUser(user), ...keys]));
  }

  const isYoung = (now: number) => (memory: Memory) => memory.at > now - maxAgeMs;

  /** Removes expired memories, and the oldest ones above the size limit. */
  function bounded(memories: readonly Memory[], now: number): Memory[] {
    const young = memories.filter(isYoung(now)).toSorted((a, b) => a.at - b.at);
    let left = maxChars;
    const first = young.findLastIndex(({ text }) => {
      left -= text.length;
      return left < 0;
    });
    return young.slice(first + 1);
  }

  function forgetAt(key: StoreKey, id?: string): Observable<number> {
    if (id === undefined)
      return store.get(key).pipe(concatMap((entry) => store.remove(key).pipe(map(() => countOf(entry?.value)))));
    return updateState(store, key, (value) => {
      const known = readKept(key, value);
      const memories = known.filter((memory) => memory.id !== id);
      const gone = known.length - memories.length;
      return { ...(gone > 0 && { value: { format: 1, memories } }), ttlMs: maxAgeMs, result: gone };
    });
  }

  return {
    keyOf,
    isOf(one, owner) {
      const user = wholeUser(owner);
      return user === undefined ? sameKey(keyOf(one), keyOf(owner)) : userOf(one) === user;
    },
    list: (owner, now) =>
      defer(() => keysOf(owner)).pipe(
        concatMap((keys) => from(keys)),
        concatMap((key) => store.get(key).pipe(map((entry) => readKept(key, entry?.value)))),
        reduce<readonly Memory[], Memory[]>((all, some) => [...all, ...some], []),
        map((all) => all.filter(isYoung(now)).sort((a, b) => a.at - b.at)),
      ),
    read: (owner, now) =>
      defer(() => store.get(keyOf(owner))).pipe(
        map((entry) => ({
          version: entry?.version ?? 0,
          memories: readKept(keyOf(owner), entry?.value).filter(isYoung(now)),
        })),
      ),
    add: (owner, added, now) =>
      defer(() =>
        updateState(store, keyOf(owner), (value) => {
          // A repeated text, or a memory added before, is kept once.
          const again = new Set(added.flatMap(({ id, text }) => [id, text]));
          const known = readKept(keyOf(owner), value).filter(({ id, text }) => !again.has(id) && !again.has(text));
          const memories = bounded([...known, ...added], now);
          return { value: { format: 1, memories }, ttlMs: maxAgeMs, result: undefined };
        }),
      ),
    forget: (owner, id) =>
      defer(() => keysOf(owner)).pipe(
        concatMap((keys) => from(keys)),
        concatMap((key) => forgetAt(key, id)),
        reduce((sum, gone) => sum + gone, 0),
      ),
  };
}

function sameKey(one: StoreKey, other: StoreKey): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function readKept(key: StoreKey, value: unknown): readonly Memory[] {
  if (value === undefined) return [];
  const kept = keptSchema.safeParse(value);
  if (kept.success) return kept.data.memories;
  throw new HooklineError(
    'STORE_FAILED',
    `The entry ${JSON.stringify(key)} does not contain memories in this format: ${z.prettifyError(kept.error)}`,
  );
}

/** Damaged data can be deleted, too. */
function countOf(value: unknown): number {
  return keptSchema.safeParse(value).data?.memories.length ?? 0;
}
