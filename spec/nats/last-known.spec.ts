import { expect } from 'chai';
import { HooklineError } from '../../lib/index.ts';
import { lastKnown } from '../../lib/nats/last-known.ts';
import type { DocumentStore, StoredDocument } from '../../lib/store/documents/document-store.ts';
import { memoryStore } from '../../lib/store/documents/memory-store.ts';

describe('the last known documents', () => {
  let time: number;
  let away: boolean;
  let store: DocumentStore;
  let known: ReturnType<typeof lastKnown>;
  /** Called before a read answers. */
  let reading: () => Promise<unknown>;

  beforeEach(() => {
    [time, away] = [0, false];
    store = memoryStore();
    reading = async () => {};
    const read: DocumentStore['read'] = async (key) => {
      if (away) throw new HooklineError('STORE_FAILED', 'NATS is away');
      const found = await store.read(key);
      await reading();
      return found;
    };
    known = lastKnown({ ...store, read }, { kinds: ['tokens'], log: undefined, now: () => time });
  });
  afterEach(() => known.close());

  const storedIn = (found: StoredDocument | undefined) => found?.value;
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      ({ code }) => code,
    );

  it('answer for as long as the store is away, if they were read shortly before', async () => {
    await known.write(['tokens', 'a'], 1);
    time = 20_000;
    away = true;
    expect(storedIn(await known.read(['tokens', 'a']))).to.equal(1);
    time = 4_000_000;
    expect(storedIn(await known.read(['tokens', 'a']))).to.equal(1);
  });

  it('do not answer if they were read long before: a token may be revoked', async () => {
    await known.write(['tokens', 'a'], 1);
    await store.remove(['tokens', 'a']);
    time = 40_000;
    away = true;
    expect(await codeOf(known.read(['tokens', 'a']))).to.equal('STORE_FAILED');
  });

  it('are not those of a read that began before a change', async () => {
    await store.write(['tokens', 'a'], 1);
    let done = (): void => {};
    reading = () => new Promise<void>((resolve) => (done = resolve));
    const late = known.read(['tokens', 'a']);
    await Promise.resolve();
    await known.remove(['tokens', 'a']);
    done();
    await late;
    away = true;
    expect(await codeOf(known.read(['tokens', 'a']))).to.equal('STORE_FAILED');
  });

  it('are not those of a change whose outcome is unknown', async () => {
    await known.write(['tokens', 'a'], 1);
    store.remove = async () => true;
    await known.remove(['tokens', 'a']);
    away = true;
    expect(await codeOf(known.read(['tokens', 'a']))).to.equal('STORE_FAILED');
  });
});
