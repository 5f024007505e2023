import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { firstValueFrom, type Observable } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { StateStore, StoreKey } from './state-store.ts';

/** Options of `stateStoreContract`. */
export interface StateStoreContractOptions {
  /** Advances the clock of the stores by this many milliseconds. Default: waits in real time. */
  readonly elapse?: (ms: number) => void | Promise<void>;
}

/** The report of `stateStoreContract`. */
export interface StateStoreContractReport {
  readonly promises: readonly string[];
}

interface Bench {
  readonly store: StateStore;
  /** A second store on the same data. */
  readonly other: StateStore;
  readonly key: StoreKey;
  elapse(ms: number): void | Promise<void>;
}

/** Subscribes and expects exactly one value. Any other number is an issue. */
async function one<T>(answer$: Observable<T>): Promise<T> {
  const answers: T[] = [];
  await new Promise<void>((resolve, reject) => {
    answer$.subscribe({ next: (value) => answers.push(value), error: reject, complete: resolve });
  });
  if (answers.length !== 1) throw new Error(`a method emitted ${answers.length} times, not once`);
  return answers[0] as T;
}

function same(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
}

async function refused(what: string, code: HooklineError['code'], answer$: Observable<unknown>): Promise<void> {
  const thrown = await firstValueFrom(answer$).then(
    () => 'nothing',
    (error) => error,
  );
  if (thrown instanceof HooklineError && thrown.code === code) return;
  throw new Error(`${what} fails with ${String(thrown)}, not with ${code}`);
}

const TTL = 2_000;
const odd: readonly JsonValue[] = [null, false, 0, '', [], { a: [null, { '': 'x' }] }, 'line\nbreak\ud83d\ude00'];

const promises: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  async 'what was set is got, by other stores of the place too'({ store, other, key }) {
    same('an entry that was never set', await one(store.get(key)), undefined);
    for (const value of odd) {
      const entry = await one(store.set(key, value));
      same('the value of set', entry.value, value);
      same('what another store gets', await one(other.get(key)), entry);
    }
  },
  async 'a value is copied when it is set and when it is got'({ store, key }) {
    const value = { list: [1] };
    await one(store.set(key, value));
    value.list.push(2);
    const got = (await one(store.get(key)))?.value as { list: number[] };
    got.list.push(3);
    same('the value', (await one(store.get(key)))?.value, { list: [1] });
  },
  async 'nothing happens before it is subscribed to, and again each time'({ store, key }) {
    const add$ = store.add(key, 1);
    same('a counter that nobody has asked for', await one(store.get(key)), undefined);
    await one(add$);
    same('a counter that was asked twice', await one(add$), 2);
  },
  async 'of changes with the same ifVersion one is made'({ store, other, key }) {
    const { version } = await one(store.set(key, 'first'));
    const settled = await Promise.allSettled(
      [store, other, store, other].map((each, index) => one(each.set(key, index, { ifVersion: version }))),
    );
    same('the number of changes', settled.filter(({ status }) => status === 'fulfilled').length, 1);
    await refused('a change of what is there', 'STORE_CONFLICT', store.set(key, 'x', { ifVersion: 0 }));
    await refused('a removal of another version', 'STORE_CONFLICT', store.remove(key, { ifVersion: version }));
  },
  async 'counting from two stores at once loses nothing'({ store, other, key }) {
    await Promise.all(Array.from({ length: 12 }, (_, index) => one((index % 2 ? store : other).add(key, 2))));
    same('the sum', (await one(other.get(key)))?.value, 24);
  },
  async 'a version that was removed, or is over, does not come again'({ store, other, key, elapse }) {
    const seen = new Set<number>();
    for (const end of ['remove', 'expire', 'remove'] as const) {
      const { version } = await one(store.set(key, 'mine', { ttlMs: TTL }));
      if (seen.has(version)) throw new Error(`version ${version} has come again`);
      seen.add(version);
      if (end === 'remove') await one(store.remove(key));
      else await elapse(2 * TTL);
      seen.add((await one(other.set(key, 'of somebody else'))).version);
      await refused('a change of what was there before', 'STORE_CONFLICT', store.set(key, 'x', { ifVersion: version }));
      same('what is there now', (await one(store.get(key)))?.value, 'of somebody else');
      await one(other.remove(key));
    }
  },
  async 'an entry is forgotten when its time is over, and no change prolongs a counter'({ store, key, elapse }) {
    const [counter, plain] = [
      [...key, 'counter'],
      [...key, 'plain'],
    ] as unknown as [StoreKey, StoreKey];
    await one(store.add(counter, 1, { ttlMs: TTL }));
    await one(store.set(plain, 'x', { ttlMs: TTL }));
    await elapse(TTL / 2);
    same('a sum within its time', await one(store.add(counter, 1, { ttlMs: TTL })), 2);
    same('expire of an entry', await one(store.expire(plain, 10 * TTL)), true);
    await elapse(TTL);
    same('a counter behind its time', await one(store.get(counter)), undefined);
    same('a new sum', await one(store.add(counter, 1, { ttlMs: TTL })), 1);
    same('an entry that was given more time', (await one(store.get(plain)))?.value, 'x');
    await one(store.expire(plain, 1));
    await elapse(TTL / 2);
    same('the keys', await one(store.list(key)), [counter]);
    same('expire of what is over', await one(store.expire(plain, TTL)), false);
    same('ifVersion 0 over what is over', (await one(store.set(plain, 'y', { ifVersion: 0 }))).value, 'y');
  },
  async 'keys are told apart by their segments, and listed by their first ones'({ store, key }) {
    const keys = ['a', 'a/b', '..', 'A', 'ä', 'con', ''].map((last) => [...key, last] as unknown as StoreKey);
    const deep = [...key, 'a', 'b'] as unknown as StoreKey;
    for (const [index, each] of [...keys, deep].entries()) await one(store.set(each, index));
    const order = (list: readonly StoreKey[]) => list.map((each) => JSON.stringify(each)).sort();
    same('all keys', order(await one(store.list(key))), order([...keys, deep]));
    same('the keys below a', order(await one(store.list([...key, 'a']))), order([keys[0] as StoreKey, deep]));
    same('the value of a/b', (await one(store.get(keys[1] as StoreKey)))?.value, 1);
  },
  async 'what was removed is gone, once'({ store, key }) {
    await one(store.set(key, 1));
    same('the first removal', await one(store.remove(key)), true);
    same('the second removal', await one(store.remove(key)), false);
    same('what is left', await one(store.get(key)), undefined);
  },
  async 'faulty arguments are refused, and change nothing'({ store, key }) {
    await one(store.set(key, 'x'));
    await refused('a key without segments', 'INPUT_INVALID', store.get([] as never));
    await refused('a value that is not JSON', 'NOT_JSON', store.set(key, { at: () => 1 } as never));
    await refused('adding to a text', 'INPUT_INVALID', store.add(key, 1));
    await refused('adding NaN', 'INPUT_INVALID', store.add([...key, 'n'] as never, Number.NaN));
    await refused('no time to live', 'INPUT_INVALID', store.set(key, 1, { ttlMs: 0 }));
    await refused('a version that cannot be', 'INPUT_INVALID', store.set(key, 1, { ifVersion: -1 }));
    same('the value', (await one(store.get(key)))?.value, 'x');
  },
};

/**
 * Checks that stores keep the promises of `StateStore`. Each call of `make` must open a store on the same data. For a store in memory, it returns the
 * same store. All entries are under a unique key, and are removed again. Throws one error that lists all broken promises.
 */
export async function stateStoreContract(
  make: () => StateStore | Promise<StateStore>,
  { elapse = (ms) => sleep(ms) }: StateStoreContractOptions = {},
): Promise<StateStoreContractReport> {
  const corner = `state-store-contract-${randomUUID()}`;
  const [store, other] = [await make(), await make()];
  const issues: string[] = [];
  for (const [index, [promise, check]] of Object.entries(promises).entries()) {
    const key: StoreKey = [corner, String(index)];
    await check({ store, other, key, elapse }).catch((thrown) => issues.push(`  ${promise}: ${thrown.message}`));
  }
  for (const key of await one(store.list([corner]))) await one(store.remove(key));
  if (issues.length === 0) return { promises: Object.keys(promises) };
  throw new Error(['The store does not keep the contract of state stores:', ...issues].join('\n'));
}
