import { randomUUID } from 'node:crypto';
import { concatMap, defer, from, map, type Observable, of, reduce } from 'rxjs';
import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { userOf } from '../../events/parts/user-of.ts';
import type { StateStore, StoreKey } from '../../store/state/state-store.ts';
import { updateState } from '../../store/state/update-state.ts';
import type { MemorySettings } from './long-term-memory-options.ts';

/** Schema of a `Memory`. */
export const memorySchema = z.strictObject({ id: z.string(), text: z.string(), at: z.number(), sessionId: z.string() });
const keptSchema = z.strictObject({ format: z.literal(1), memories: z.array(memorySchema) });

/** Something that is remembered. `at` is when it was said, in milliseconds since 1970; `sessionId` is where. */
export type Memory = Readonly<z.infer<typeof memorySchema>>;

/** Whose memories: those of a user, sessions of that user included, or of one session. An empty or blank `userId` names no user. */
export interface MemoryOwner {
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** What is in the store of one owner; `version` is another one after each change, 0 where there is nothing. */
export interface KeptMemories {
  readonly version: number;
  readonly memories: readonly Memory[];
}

/** The memories of all owners, the oldest first. */
export interface Memories {
  /** Where the memories of a run are. */
  keyOf(owner: MemoryOwner): StoreKey;
  /** Whether what a run by `one` has remembered belongs to `owner`. */
  isOf(one: MemoryOwner, owner: MemoryOwner): boolean;
  /** What a run by this owner recalls. */
  read(owner: MemoryOwner, now: number): Observable<KeptMemories>;
  /** All that belongs to the owner, whatever `per` says now. */
  list(owner: MemoryOwner, now: number): Observable<readonly Memory[]>;
  add(owner: MemoryOwner, memories: readonly Memory[], now: number): Observable<void>;
  /** Forgets one, or all; gives how many there were. */
  forget(owner: MemoryOwner, id?: string): Observable<number>;
}

/** A memory of something that was said just now. */
export function makeMemory(text: string, sessionId: string, at: number): Memory {
  return { id: randomUUID(), text, at, sessionId };
}

/** Keeps memories in a store, within the bounds of the settings. Several processes may add to them at once. */
export function createMemories(store: StateStore, { name, per, maxAgeMs, maxChars }: MemorySettings): Memories {
  const ofUser = (user: string): StoreKey => ['long-term-memory', name, 'user', user];
  const ofSessions = (user: string): StoreKey => ['long-term-memory', name, 'session', user];

  function keyOf(owner: MemoryOwner): StoreKey {
    const user = userOf(owner);
    const { sessionId } = owner;
    if (per === 'user' && user !== undefined) return ofUser(user);
    if (sessionId !== undefined) return [...ofSessions(user ?? ''), sessionId];
    throw new HooklineError(
      'INPUT_INVALID',
      "Memories belong to a user or a session: give a userId or a sessionId, such as { userId: 'ann' }.",
    );
  }

  /** The user of an owner that is a user as a whole. */
  function wholeUser(owner: MemoryOwner): string | undefined {
    return owner.sessionId === undefined ? userOf(owner) : undefined;
  }

  /** Where all is that belongs to an owner. */
  function keysOf(owner: MemoryOwner): Observable<readonly StoreKey[]> {
    const user = wholeUser(owner);
    if (user === undefined) return of([keyOf(owner)]);
    return store.list(ofSessions(user)).pipe(map((keys) => [ofUser(user), ...keys]));
  }

  const isYoung = (now: number) => (memory: Memory) => memory.at > now - maxAgeMs;

  /** Without what is too old, and without the oldest of what is too much. */
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
          // What is said again, or was added before, is remembered once.
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
    `The entry ${JSON.stringify(key)} does not hold memories of this format: ${z.prettifyError(kept.error)}`,
  );
}

/** What is damaged can be forgotten, too. */
function countOf(value: unknown): number {
  return keptSchema.safeParse(value).data?.memories.length ?? 0;
}
