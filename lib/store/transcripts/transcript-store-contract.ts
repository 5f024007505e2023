import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { firstValueFrom, isObservable, lastValueFrom, type Observable, timeout } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import { hasCode } from '../../errors/has-code.ts';
import type { Message } from '../../events/parts/message.ts';
import { userMessage } from '../../events/parts/messages.ts';
import type { TranscriptStore } from './transcript-store.ts';

/** The report of `transcriptStoreContract`. */
export interface TranscriptStoreReport {
  /** The promises that were checked. */
  readonly promises: readonly string[];
}

/** A store whose methods return promises. */
interface Store {
  readonly given: TranscriptStore;
  load(sessionId: string): Promise<readonly Message[]>;
  append(sessionId: string, ...messages: readonly Message[]): Promise<void>;
  truncate(sessionId: string, length: number): Promise<void>;
}

interface Bench {
  readonly store: Store;
  reopen(): Promise<Store>;
  session(name?: string): string;
}

/** Timeout of a turn, in milliseconds. */
const TURN_MS = 30_000;

const [one, two, three] = ['one', 'two', 'three'].map((text) => userMessage(text)) as [Message, Message, Message];
const call = { id: 'c', name: 'pay', input: { amount: 1, to: [null, { '': 'é' }] } };
const rich: readonly Message[] = [
  { role: 'system', parts: [{ type: 'text', text: '' }], origin: 'hook' },
  {
    role: 'assistant',
    parts: [
      { type: 'thinking', text: 'a\nb\u2028 "é" \ud83d\ude00', metadata: { signature: 's' } },
      { type: 'toolCall', toolCall: call },
    ],
  },
  {
    role: 'tool',
    parts: [{ type: 'toolResult', toolCallId: 'c', toolName: 'pay', result: { content: 'paid', isError: false } }],
  },
  { role: 'user', parts: [{ type: 'media', url: 'media://x', mediaType: 'image/png' }] },
];

const promises: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  async 'a session that is not there is empty, and is not created by a look'({ store, reopen, session }) {
    const id = session();
    same('the session', await store.load(id), []);
    same('the session, reopened', await (await reopen()).load(id), []);
  },
  async 'what was appended is loaded in its order, after a restart too'({ store, reopen, session }) {
    const id = session();
    await store.append(id, one, two);
    await store.append(id, ...rich);
    for (const each of [store, await reopen()]) same('the session', await each.load(id), [one, two, ...rich]);
    await store.append(id, three);
    same('the session with one more', await store.load(id), [one, two, ...rich, three]);
  },
  async 'a session that was announced is like any other'({ store, reopen, session }) {
    const id = session();
    store.given.begin?.(id);
    same('the session', await store.load(id), []);
    await store.append(id, one);
    same('the session, reopened', await (await reopen()).load(id), [one]);
  },
  async 'truncate keeps the first messages'({ store, reopen, session }) {
    const id = session();
    await store.truncate(id, 0);
    await store.append(id, one, two, three);
    await store.truncate(id, 5);
    same('the session, not shortened', await store.load(id), [one, two, three]);
    await store.truncate(id, 1);
    await store.append(id, three);
    for (const each of [store, await reopen()]) same('the shortened session', await each.load(id), [one, three]);
    await store.truncate(id, 0);
    same('the emptied session', await store.load(id), []);
    await store.append(id, two);
    same('the session, begun again', await (await reopen()).load(id), [two]);
  },
  async 'a name is any text, and each is a session of its own'({ store, session }) {
    const names = [
      'a',
      'A',
      '.',
      '..',
      '../x',
      'a/b',
      'a.b',
      'a*',
      'a>',
      'con',
      'é',
      '__proto__',
      ' ',
      'x'.repeat(300),
    ];
    for (const name of names) await store.append(session(name), userMessage(name));
    for (const name of names) same(`the session ${name}`, await store.load(session(name)), [userMessage(name)]);
    await store.truncate(session('a'), 0);
    same('its neighbour', await store.load(session('A')), [userMessage('A')]);
  },
  async 'a change of a list that was given or loaded changes nothing'({ store, session }) {
    const id = session();
    const list = [one];
    const appending = store.given.append(id, list);
    list.push(two);
    await settled(appending);
    ((await store.load(id)) as Message[]).push(three);
    same('the session', await store.load(id), [one]);
  },
  async 'a long message and a long session are whole'({ store, reopen, session }) {
    const id = session();
    const long = [userMessage('é'.repeat(1_500_000)), ...Array.from({ length: 600 }, (_, n) => userMessage(`${n}`))];
    for (let at = 0; at < long.length; at += 200) await store.append(id, ...long.slice(at, at + 200));
    same('the number of messages', (await store.load(id)).length, long.length);
    same('the session, reopened', isDeepStrictEqual(await (await reopen()).load(id), long), true);
  },
  async 'a writer that does not know the last change is refused with STORE_CONFLICT, or adds to it'(bench) {
    const { store, reopen } = bench;
    const other = await reopen();
    for (const what of ['append', 'truncate'] as const) {
      const id = bench.session(what);
      await store.append(id, one);
      await other.load(id);
      await store.append(id, two);
      const late = what === 'append' ? other.append(id, three) : other.truncate(id, 1);
      const isRefused = await late.then(
        () => false,
        (thrown: unknown) => {
          if (!hasCode(thrown, 'STORE_CONFLICT')) throw thrown;
          return true;
        },
      );
      const after = isRefused ? [one, two] : what === 'append' ? [one, two, three] : [one];
      same(`the session after a late ${what}`, await other.load(id), after);
      // Who has loaded it knows it.
      await other.append(id, three);
      same('the session with one more', await store.load(id), [...after, three]);
    }
  },
  async 'one process at a time has the turn in a session, and knows what the one before wrote'(bench) {
    const { store, reopen } = bench;
    if (!store.given.turn) return;
    const [id, free] = [bench.session('taken'), bench.session('free')];
    const did: string[] = [];
    const take = async (each: Store, of = id) => firstValueFrom(each.given.turn!(of).pipe(timeout(TURN_MS)));
    const end = await take(store);
    const others = await Promise.all([reopen(), reopen(), reopen()]);
    const leaving = others[0]!.given.turn!(id).subscribe(() => did.push('a turn that nobody waits for'));
    const turns = others.slice(1).map(async (each) => {
      const ending = await take(each);
      did.push('begins');
      await each.append(id, userMessage(`${(await each.load(id)).length}`));
      did.push('ends');
      ending();
    });
    (await take(others[0]!, free))();
    leaving.unsubscribe();
    await store.load(id);
    await store.append(id, userMessage('0'));
    did.push('ends');
    end();
    await Promise.all(turns);
    same('the turns', did, ['ends', 'begins', 'ends', 'begins', 'ends']);
    same(
      'the session',
      await store.load(id),
      ['0', '1', '2'].map((text) => userMessage(text)),
    );
  },
};

/**
 * Checks that stores keep the promises of `TranscriptStore`. Each call of `make` must open a store on the same data, as another process does. For a
 * store in memory, it returns the same store. All sessions have unique IDs, and are emptied again. Throws one error that lists all issues.
 */
export async function transcriptStoreContract(
  make: () => TranscriptStore | Promise<TranscriptStore>,
): Promise<TranscriptStoreReport> {
  const issues: string[] = [];
  for (const [promise, check] of Object.entries(promises)) {
    const corner = `contract-${randomUUID()}`;
    const used = new Set<string>();
    const session = (name = ''): string => {
      used.add(`${corner}:${name}`);
      return `${corner}:${name}`;
    };
    try {
      const store = promising(await make());
      await check({ store, session, reopen: async () => promising(await make()) });
      const last = promising(await make());
      for (const id of used) if ((await last.load(id)).length > 0) await last.truncate(id, 0);
    } catch (thrown) {
      issues.push(`  ${promise}: ${messageOf(thrown)}`);
    }
  }
  if (issues.length === 0) return { promises: Object.keys(promises) };
  throw new Error(['The store does not keep the contract of transcript stores:', ...issues].join('\n'));
}

function promising(given: TranscriptStore): Store {
  return {
    given,
    load: async (id) => settled(given.load(id)),
    append: async (id, ...messages) => settled(given.append(id, messages)),
    truncate: async (id, length) => settled(given.truncate(id, length)),
  };
}

async function settled<T>(answer: T | Promise<T> | Observable<T>): Promise<T> {
  return isObservable(answer) ? lastValueFrom(answer as Observable<T>, { defaultValue: undefined as T }) : answer;
}

function same(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what} is ${shown(found)}, not ${shown(expected)}`);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)} ..` : text;
}
