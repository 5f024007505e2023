import { expect } from 'chai';
import { HooklineError } from '../../lib/index.ts';
import { lastKnown } from '../../lib/nats/last-known.ts';
import type { DocumentStore, StoredDocument } from '../../lib/store/documents/document-store.ts';
import { memoryStore } from '../../lib/store/documents/memory-store.ts';
import { memoryLinks } from '../server/fleet/memory-link.ts';
import { eventually } from '../server/fleet/server-link-contract.ts';

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

  describe('on another server', () => {
    let changed: DocumentStore;
    let other: ReturnType<typeof lastKnown>;
    beforeEach(async () => {
      const links = memoryLinks();
      const { read } = store;
      const ofOther: DocumentStore = {
        ...store,
        read: async (key) => {
          if (away) throw new HooklineError('STORE_FAILED', 'NATS is away');
          return read(key);
        },
      };
      const options = { kinds: ['tokens'], log: undefined, now: () => time };
      known.close();
      known = lastKnown(store, { ...options, link: links.link() });
      other = lastKnown(ofOther, { ...options, link: links.link() });
      changed = known;
      await changed.write(['tokens', 'a'], 1);
      await other.read(['tokens', 'a']);
    });
    afterEach(() => other.close());

    it('are read again at a change, before the 15 seconds are over', async function () {
      this.timeout(10_000);
      await changed.write(['tokens', 'a'], 2);
      await eventually(async () => {
        away = true;
        const found = storedIn(await other.read(['tokens', 'a']).catch(() => undefined));
        away = false;
        return found === 2 ? true : undefined;
      });
    });

    it('do not answer after a change that could not be read', async () => {
      away = true;
      await changed.remove(['tokens', 'a']);
      expect(await codeOf(other.read(['tokens', 'a']))).to.equal('STORE_FAILED');
    });
  });

  it('are not those of a change whose outcome is unknown', async () => {
    await known.write(['tokens', 'a'], 1);
    store.remove = async () => true;
    await known.remove(['tokens', 'a']);
    away = true;
    expect(await codeOf(known.read(['tokens', 'a']))).to.equal('STORE_FAILED');
  });
});
