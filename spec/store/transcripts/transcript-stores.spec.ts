import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { defer, of } from 'rxjs';
import { memoryStateStore } from '../../../lib/hooks/index.ts';
import { type Message, memoryTranscript, type TranscriptStore } from '../../../lib/index.ts';
import { sessionTurns } from '../../../lib/nats/session-turns.ts';
import { fileTranscript } from '../../../lib/store/transcripts/file-transcript.ts';
import { transcriptStoreContract } from '../../../lib/testing/index.ts';
import { tempFolder } from '../../temp-folder.ts';

type Synchronous = Omit<ReturnType<typeof memoryTranscript>, 'load'> & {
  load(sessionId: string): readonly Message[];
};

/** A store with turns. Each call returns one of another process. */
function withTurns(store: TranscriptStore): () => TranscriptStore {
  const state = memoryStateStore({ now: () => Date.now() });
  return () => ({ ...store, turn: sessionTurns(state, randomUUID()).take });
}

describe('a transcript store', () => {
  it('keeps the contract in memory', async () => {
    const store = memoryTranscript();
    expect((await transcriptStoreContract(() => store)).promises).to.have.lengthOf(9);
    expect([...store.sessions.values()].flat()).to.deep.equal([]);
  });

  it('keeps the contract in files', async () => {
    const folder = tempFolder('sessions');
    await transcriptStoreContract(() => fileTranscript(folder));
  });

  it('keeps the contract with Observables and turns', async () => {
    const store = memoryTranscript() as Synchronous;
    const observing: TranscriptStore = {
      load: (id) => defer(() => of(store.load(id))),
      append: (id, messages) => {
        const added = [...messages];
        return defer(() => of(store.append(id, added) as undefined));
      },
      truncate: (id, length) => defer(() => of(store.truncate(id, length) as undefined)),
    };
    await transcriptStoreContract(withTurns(observing));
  });

  const broken: Readonly<Record<string, (store: Synchronous) => Partial<TranscriptStore>>> = {
    'not created by a look': ({ sessions }) => ({ load: (id) => sessions.get(id) ?? [{ role: 'user', parts: [] }] }),
    'in its order': (store) => ({ append: (id, messages) => store.append(id, [...messages].reverse()) }),
    'truncate keeps the first messages': (store) => ({
      truncate: (id, length) => {
        const last = length === 0 ? [] : store.load(id).slice(-length);
        store.truncate(id, 0);
        store.append(id, last);
      },
    }),
    'each is a session of its own': (store) => ({
      load: (id) => store.load(id.toLowerCase()),
      append: (id, messages) => store.append(id.toLowerCase(), messages),
      truncate: (id, length) => store.truncate(id.toLowerCase(), length),
    }),
    'a change of a list': ({ sessions }) => ({ load: (id) => sessions.get(id) ?? [] }),
    'are whole': (store) => ({ load: (id) => store.load(id).slice(0, 500) }),
    'refused with STORE_CONFLICT, or adds to it': (store) => {
      const seen = new Map<string, readonly Message[]>();
      const write = (id: string, messages: readonly Message[]) => {
        seen.set(id, messages);
        store.truncate(id, 0);
        store.append(id, messages);
      };
      const known = (id: string) => seen.get(id) ?? store.load(id);
      return {
        load(id) {
          seen.set(id, store.load(id));
          return store.load(id);
        },
        append: (id, messages) => write(id, [...known(id), ...messages]),
        truncate: (id, length) => write(id, known(id).slice(0, length)),
      };
    },
    'one process at a time has the turn': () => ({ turn: () => of(() => {}) }),
  };
  for (const [promise, change] of Object.entries(broken))
    it(`is reported if it breaks "${promise}"`, async () => {
      const store = memoryTranscript() as Synchronous;
      const thrown = await transcriptStoreContract(() => ({ ...store, ...change(store) })).then(
        () => undefined,
        (error: Error) => error,
      );
      expect(thrown?.message)
        .to.include('The store does not keep the contract of transcript stores:')
        .and.include(promise);
    });
});
