import { appendFileSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { HooklineError, type JsonObject } from 'hookline';
import { fileRunStore, memoryRunStore, type RunStore, runStoreContract } from 'hookline/server';
import { mergeMap } from 'rxjs';
import { tempFolder } from '../../temp-folder.ts';

const repeatFirst = mergeMap((entries: readonly JsonObject[], index) => (index === 1 ? [entries, entries] : [entries]));

const thrownBy = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('runStoreContract', () => {
  it('passes for stores in memory and in files', async () => {
    const memory = memoryRunStore();
    const { promises } = await runStoreContract(() => memory);
    expect(promises).to.have.length(11);
    const folder = tempFolder('runs');
    await runStoreContract(() => fileRunStore(folder));
  });

  /** Creates a memory store that breaks a promise. */
  const broken = (wrap: (sound: RunStore) => Partial<RunStore>) => {
    const sound = memoryRunStore();
    const store = { ...sound, ...wrap(sound) };
    return () => store;
  };
  for (const [what, issue, make] of [
    ['forgets data after a restart', /reopened/, () => memoryRunStore()],
    ['loses a log', /what it reads/, broken(() => ({ read: async () => ({ entries: [], cut: false }) }))],
    ['ignores the start of a read', /from 2 on/, broken((sound) => ({ read: (key) => sound.read(key) }))],
    [
      'throws for a missing entry',
      /is nothing/,
      broken(() => ({
        find: async () => {
          throw new Error('gone');
        },
      })),
    ],
    ['lists the runs of others', /of a user/, broken((sound) => ({ list: () => sound.list() }))],
    [
      'confuses two names',
      /the log of A/,
      broken((sound) => ({
        append: ({ user, runId }, addition) => sound.append({ user, runId: runId.toLowerCase() }, addition),
        read: ({ user, runId }, from) => sound.read({ user, runId: runId.toLowerCase() }, from),
      })),
    ],
    [
      'repeats entries to a follower',
      /each entry once/,
      broken((sound) => ({ follow: (key) => sound.follow?.(key).pipe(repeatFirst) as never })),
    ],
    ['removes nothing', /is gone/, broken(() => ({ remove: async () => true }))],
    [
      'drops some entries',
      /side by side/,
      broken((sound) => ({
        append: async (key, addition) =>
          addition.entries?.[0]?.['n'] === 100 ? undefined : sound.append(key, addition),
      })),
    ],
  ] as const) {
    it(`rejects a store that ${what}`, async () => {
      expect(String(await thrownBy(runStoreContract(make)))).to.match(issue);
    });
  }
});

describe('fileRunStore', () => {
  const run = { user: 'alice', runId: 'r' };
  let folder: string;
  beforeEach(() => {
    folder = join(tempFolder('runs'), 'runs');
  });
  /** The files of the runs; each user has a directory. */
  const files = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.jsonl?$/.test(name));
  const log = () => join(folder, files().find((name) => name.endsWith('.jsonl'))!);

  it('is owner-only', async () => {
    await fileRunStore(folder).append(run, { entries: [{ n: 1 }], head: { n: 1 } });
    if (process.platform === 'win32') return;
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    expect(statSync(join(folder, 'alice')).mode & 0o777).to.equal(0o700);
    for (const name of files()) expect(statSync(join(folder, name)).mode & 0o777).to.equal(0o600);
  });

  it('skips a truncated last line and logs it', async () => {
    await fileRunStore(folder).append(run, { entries: [{ n: 1 }, { n: 2 }] });
    appendFileSync(log(), '{"n":3,"te');
    expect(await fileRunStore(folder).read(run)).to.deep.equal({ entries: [{ n: 1 }, { n: 2 }], cut: true });
  });

  it('names a second process that writes the log of a run', async () => {
    await fileRunStore(folder).append(run, { entries: [{ n: 1 }] });
    const refused = await thrownBy(fileRunStore(folder).append(run, { entries: [{ n: 2 }] }));
    expect(refused).to.be.instanceOf(HooklineError).and.include({ code: 'STORE_CONFLICT' });
    expect(String(refused)).to.include('The log of the run "r" has another writer');
  });

  it('names a full disk, and continues when there is space, without truncated lines', async () => {
    // A device that is always full, in place of the log.
    const full = fileRunStore('/dev/full/x');
    expect(String(await thrownBy(full.append(run, { entries: [{ n: 1 }] })))).to.include(
      'Run store "/dev/full/x": cannot record',
    );
    const store = fileRunStore(folder);
    await store.append(run, { entries: [{ n: 1 }] });
    const { promises } = require('node:fs') as typeof import('node:fs');
    const { open } = promises;
    // Half of the data is written, then the space is exhausted.
    const tight = async (...given: Parameters<typeof open>) => {
      const file = await open(...given);
      const write = file.write.bind(file) as (...args: unknown[]) => Promise<unknown>;
      let calls = 0;
      Object.assign(file, {
        write: (bytes: Buffer, done: number, length: number, at: number) => {
          calls += 1;
          if (calls > 1) return Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }));
          return write(bytes, done, Math.ceil(length / 2), at);
        },
      });
      return file;
    };
    promises.open = tight as typeof open;
    try {
      const refused = await thrownBy(store.append(run, { entries: [{ n: 2, text: 'x'.repeat(99) }] }));
      expect(refused).to.include({ code: 'STORE_FAILED' });
      expect(String(refused)).to.include('the disk is full');
    } finally {
      promises.open = open;
    }
    await store.append(run, { entries: [{ n: 3 }] });
    expect(await store.read(run)).to.deep.equal({ entries: [{ n: 1 }, { n: 3 }], cut: false });
  });

  it('reads a head again only if its file has changed, by any process', async () => {
    const [left, right] = [fileRunStore(folder), fileRunStore(folder)];
    await left.append(run, { head: { n: 1 } });
    expect(await right.find(run)).to.deep.equal({ n: 1 });
    await left.append(run, { head: { n: 2 } });
    expect(await right.find(run)).to.deep.equal({ n: 2 });
    const [one] = await right.list();
    expect((await right.list())[0]).to.equal(one);
  });

  it('lists ended runs without reading their files again, and finds those of another process', async () => {
    const [ours, theirs] = [fileRunStore(folder), fileRunStore(folder)];
    const add = (store: RunStore, runId: string, state: string) =>
      store.append({ user: 'a', runId }, { head: { view: { state } } });
    for (let at = 0; at < 30; at++) await add(at % 2 === 0 ? ours : theirs, `r${at}`, 'ended');
    await add(theirs, 'active', 'running');
    expect(await ours.list('a')).to.have.length(31);
    const { promises } = require('node:fs') as typeof import('node:fs');
    const { stat, readFile } = promises;
    const touched: string[] = [];
    const watched =
      <A extends readonly unknown[], R>(work: (...args: A) => R) =>
      (...args: A): R => {
        if (String(args[0]).endsWith('.json')) touched.push(basename(String(args[0])));
        return work(...args);
      };
    Object.assign(promises, { stat: watched(stat), readFile: watched(readFile) });
    try {
      expect(await ours.list('a')).to.have.length(31);
      expect(touched).to.deep.equal(['active.json']);
      await add(theirs, 'active', 'ended');
      await add(theirs, 'late', 'ended');
      await theirs.remove({ user: 'a', runId: 'r0' });
      const states = (await ours.list('a')).map(({ runId, head }) => [
        runId,
        (head['view'] as { state: string }).state,
      ]);
      expect(states).to.have.length(31);
      expect(Object.fromEntries(states)).to.include({ active: 'ended', late: 'ended' }).and.not.have.property('r0');
      touched.length = 0;
      await Promise.all([ours.list('a'), ours.list('a')]);
      expect(touched).to.deep.equal([]);
    } finally {
      Object.assign(promises, { stat, readFile });
    }
  });

  it('returns the same list while the directory does not change', async () => {
    const [ours, theirs] = [fileRunStore(folder), fileRunStore(folder)];
    await ours.append({ user: 'a', runId: 'one' }, { head: { n: 1 } });
    const at = Date.now() / 1_000 - 60;
    utimesSync(join(folder, 'a'), at, at);
    const before = await ours.list('a');
    expect(await ours.list('a')).to.deep.equal(before);
    await theirs.append({ user: 'a', runId: 'one' }, { head: { n: 2 } });
    expect((await ours.list('a')).map(({ head }) => head)).to.deep.equal([{ n: 2 }]);
  });

  it('removes runs that are too old, and the oldest if all are too large', async () => {
    const store = (options: object) => fileRunStore(folder, { sweepMs: 1e-9, ...options });
    const ids = async () => (await store({}).list()).map(({ runId }) => runId).sort();
    const usual = store({});
    for (const [index, runId] of ['old', 'older', 'young'].entries()) {
      await usual.append({ user: 'a', runId }, { entries: [{ text: 'x'.repeat(1_000) }], head: { runId } });
      const at = Date.now() / 1_000 - [5_000, 9_000, 0][index]!;
      for (const name of files().filter((one) => basename(one).startsWith(`${runId}.`)))
        utimesSync(join(folder, name), at, at);
    }
    await store({ keepMs: 8_000_000 }).append({ user: 'a', runId: 'new' }, { head: {} });
    expect(await ids()).to.deep.equal(['new', 'old', 'young']);
    await store({ keepBytes: 1_500 }).append({ user: 'a', runId: 'new' }, { head: {} });
    expect(await ids()).to.deep.equal(['new', 'young']);
    expect(files().filter((name) => name.includes('old'))).to.deep.equal([]);
  });

  it('keeps suspended runs', async () => {
    const keys = ['suspended', 'ended'].map((runId) => ({ user: 'a', runId }));
    const head = ({ runId }: { runId: string }) => ({ view: { state: runId } });
    const small = fileRunStore(folder, { keepMs: 1e-9, sweepMs: 1e-9 });
    const few = memoryRunStore({ runs: 1 });
    for (const store of [small, few]) {
      for (const key of keys) await store.append(key, { entries: [{ n: 1 }], head: head(key) });
      await store.append({ user: 'a', runId: 'last' }, { head: {} });
      expect(await store.find(keys[0]!)).to.deep.equal(head(keys[0]!));
      expect((await store.read(keys[0]!)).entries).to.deep.equal([{ n: 1 }]);
      expect(await store.find(keys[1]!)).to.equal(undefined);
    }
  });

  it('rejects inconsistent options', () => {
    expect(() => fileRunStore(folder, { keepMs: 0 })).to.throw(/fileRunStore\(\): invalid options/);
  });
});
