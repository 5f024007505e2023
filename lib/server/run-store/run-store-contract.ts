import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { firstValueFrom, mergeAll, ReplaySubject, take, tap, timeout, toArray } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { RunKey, RunStore } from './run-store.ts';

/** The report of `runStoreContract`. */
export interface RunStoreReport {
  /** The promises that were checked. */
  readonly promises: readonly string[];
  readonly issues: readonly { readonly promise: string; readonly issue: string }[];
}

/** Timeout of followed entries, in milliseconds. */
const FOLLOW_MS = 5_000;

interface Bench {
  readonly store: RunStore;
  reopen(): Promise<RunStore>;
  key(runId?: string): RunKey;
  same(what: string, found: unknown, expected: unknown): void;
}

const promises: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  async 'what was appended is read in its order, from any place on, after a restart too'({ store, reopen, key, same }) {
    const run = key();
    await store.append(run, { entries: [{ n: 0 }, { n: 1 }], head: { state: 'a' } });
    await store.append(run, { entries: [{ n: 2, text: 'a\nb\u2028 "é" \ud83d\ude00' }] });
    const all = [{ n: 0 }, { n: 1 }, { n: 2, text: 'a\nb\u2028 "é" \ud83d\ude00' }];
    for (const [name, one] of [
      ['it', store],
      ['it, reopened,', await reopen()],
    ] as const) {
      same(`what ${name} reads`, await one.read(run), { entries: all, cut: false });
      same(`what ${name} reads from 2 on`, await one.read(run, 2), { entries: all.slice(2), cut: false });
      same(`what ${name} reads from behind the end on`, await one.read(run, 9), { entries: [], cut: false });
    }
  },
  async 'a head is the one that was given last, and stays when entries come'({ store, reopen, key, same }) {
    const run = key();
    await store.append(run, { head: { state: 'a' } });
    await store.append(run, { head: { state: 'b', more: [1, null] } });
    await store.append(run, { entries: [{ n: 1 }] });
    same('the head', await store.find(run), { state: 'b', more: [1, null] });
    same('the head, reopened', await (await reopen()).find(run), { state: 'b', more: [1, null] });
  },
  async 'what is not there is nothing, and no error'({ store, key, same }) {
    same('the head', await store.find(key()), undefined);
    same('the log', await store.read(key()), { entries: [], cut: false });
    same('its removal', await store.remove(key()), false);
  },
  async 'runs are listed with their heads, of a user or of all'({ store, key, same }) {
    const [mine, other, headless] = [key('mine'), key('other'), key('headless')];
    const theirs = { user: `${mine.user}'s friend`, runId: 'mine' };
    for (const run of [mine, other, theirs]) await store.append(run, { head: { of: run.runId } });
    await store.append(headless, { entries: [{ n: 1 }] });
    const listed = (await store.list(mine.user)).map(({ runId, head }) => [runId, head]).sort();
    same('the runs of a user', listed, [
      ['mine', { of: 'mine' }],
      ['other', { of: 'other' }],
    ]);
    const users = (await store.list()).map(({ user }) => user);
    same(
      'the users of all runs',
      [mine.user, theirs.user].every((user) => users.includes(user)),
      true,
    );
    await store.remove(theirs);
  },
  async 'names are of any text, and each is a run of its own'({ store, key, same }) {
    const names = [
      'a',
      'A',
      '.',
      '..',
      '../../x',
      'a/b',
      'a~b',
      'con',
      'é',
      'x'.repeat(500),
      `${'x'.repeat(500)}y`,
      '__proto__',
      ' ',
    ];
    for (const name of names) await store.append(key(name), { entries: [{ name }], head: { name } });
    for (const name of names) {
      same(`the head of ${name}`, await store.find(key(name)), { name });
      same(`the log of ${name}`, (await store.read(key(name))).entries, [{ name }]);
    }
  },
  async 'a removed run is gone, head and log'({ store, reopen, key, same }) {
    const run = key();
    await store.append(run, { entries: [{ n: 1 }], head: { n: 1 } });
    same('its removal', await store.remove(run), true);
    for (const one of [store, await reopen()]) {
      same('the head', await one.find(run), undefined);
      same('the log', (await one.read(run)).entries, []);
      same('the list', await one.list(run.user), []);
    }
  },
  async 'what is appended side by side is all there, in the order of the calls'({ store, key, same }) {
    const run = key();
    const numbers = Array.from({ length: 200 }, (_, n) => ({ n, text: 'x'.repeat(n) }));
    await Promise.all(numbers.map((entry) => store.append(run, { entries: [entry], head: entry })));
    same('the log', (await store.read(run)).entries, numbers);
    same('the head', await store.find(run), numbers.at(-1));
  },
  async 'a followed log has each entry once, in its order'({ store, reopen, key, same }) {
    const run = key();
    const other = await reopen();
    if (!other.follow) return;
    const numbers = Array.from({ length: 20 }, (_, n) => ({ n }));
    await store.append(run, { entries: numbers.slice(0, 2) });
    const lists: (readonly JsonObject[])[] = [];
    const begun = new ReplaySubject<void>(1);
    const found = firstValueFrom(
      other.follow(run).pipe(
        tap((entries) => {
          lists.push(entries);
          begun.next();
        }),
        mergeAll(),
        take(numbers.length),
        toArray(),
        timeout(FOLLOW_MS),
      ),
    );
    await Promise.race([firstValueFrom(begun), found]);
    for (const entry of numbers.slice(2)) await store.append(run, { entries: [entry] });
    same('the followed log', await found, numbers);
    same('its first entries', lists[0], numbers.slice(0, 2));
  },
  async 'values are copied'({ store, key, same }) {
    const run = key();
    const entry: Record<string, JsonObject[string]> = { n: 1 };
    const adding = store.append(run, { entries: [entry], head: entry });
    entry['n'] = 2;
    await adding;
    ((await store.read(run)).entries[0] as Record<string, unknown>)['n'] = 3;
    ((await store.find(run)) as Record<string, unknown>)['n'] = 3;
    same('the log', (await store.read(run)).entries, [{ n: 1 }]);
    same('the head', await store.find(run), { n: 1 });
  },
  async 'a second writer of a log is refused with STORE_CONFLICT, or adds whole entries'({ store, reopen, key, same }) {
    const run = key();
    await store.append(run, { entries: [{ n: 1 }] });
    const added = await (await reopen()).append(run, { entries: [{ n: 2 }] }).then(
      () => [{ n: 2 }],
      (thrown: unknown) => {
        same('the refusal', thrown instanceof HooklineError && thrown.code, 'STORE_CONFLICT');
        return [];
      },
    );
    await store.append(run, { entries: [{ n: 3 }] });
    same('the log', await store.read(run), { entries: [{ n: 1 }, ...added, { n: 3 }], cut: false });
  },
  async 'of several processes, one takes over a run, with its log'({ store, reopen, key, same }) {
    if (!store.takeOver) return;
    const run = key('lost');
    const heads: readonly JsonObject[] = ['a', 'b', 'c', 'd'].map((by) => ({ by, view: { state: 'running' } }));
    const [first = {}, second = {}] = heads;
    await store.append(run, { entries: [{ n: 1 }], head: first });
    const others = await Promise.all([reopen(), reopen(), reopen()]);
    const take = (one: RunStore, seen: JsonObject, head: JsonObject) => one.takeOver?.(run, seen, head);
    same('a take-over of another head', await take(others[0]!, second, first), undefined);
    same('a take-over of an unknown run', await store.takeOver(key('unknown'), first, first), undefined);
    const won = await Promise.all(others.map((one, nth) => take(one, first, heads[nth + 1]!)));
    same('the logs', won.filter(Boolean), [{ entries: [{ n: 1 }], cut: false }]);
    const nth = won.findIndex(Boolean);
    const winner = others[nth]!;
    same('the head', await store.find(run), heads[nth + 1]);
    await winner.append(run, { entries: [{ n: 2 }], head: second });
    if (winner !== store) {
      for (const addition of [{ entries: [{ n: 3 }] }, { head: first }]) {
        const code = await store
          .append(run, addition)
          .catch((thrown) => thrown instanceof HooklineError && thrown.code);
        same('an addition of the earlier writer', code, 'STORE_CONFLICT');
      }
    }
    const { entries } = await store.read(run);
    same(
      'the log',
      entries.map((entry) => entry['n'] ?? Object.keys(entry)),
      [1, ['takenOver'], 2],
    );
    same('the last head', await store.find(run), second);
  },
};

/**
 * Checks that stores keep the promises of `RunStore`. Each call of `make` must open a store on the same data, as after a restart. For a store in
 * memory, it returns the same store. Removes everything it writes. Returns a report, or throws one error that lists all issues.
 */
export async function runStoreContract(make: () => RunStore | Promise<RunStore>): Promise<RunStoreReport> {
  const issues: { promise: string; issue: string }[] = [];
  for (const [promise, check] of Object.entries(promises)) {
    const user = `run-store-contract-${randomUUID()}`;
    const store = await make();
    const same: Bench['same'] = (what, found, expected) => {
      if (isDeepStrictEqual(found, expected)) return;
      issues.push({ promise, issue: `${what}: ${shown(found)}, not ${shown(expected)}` });
    };
    try {
      await check({ store, reopen: async () => make(), key: (runId = 'run') => ({ user, runId }), same });
      for (const run of await store.list(user)) await store.remove(run);
    } catch (thrown) {
      issues.push({ promise, issue: String(thrown) });
    }
  }
  const report: RunStoreReport = { promises: Object.keys(promises), issues };
  if (issues.length === 0) return report;
  const list = issues.map(({ promise, issue }, index) => `  ${index + 1}. ${promise}: ${issue}`).join('\n');
  throw Object.assign(new Error(`The store violates the contract of run stores:\n${list}`), {
    name: 'AssertionError',
    report,
  });
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)} ..` : text;
}
