import { expect } from 'chai';
import * as fc from 'fast-check';
import { type Message, userMessage } from '../../lib/index.ts';
import { sourcesOf } from '../../lib/loops/sources-of.ts';

const text = (of: string) => ({ type: 'text', text: of }) as const;
const media = (url: string) => ({ type: 'media', url }) as const;
const user = (...parts: Message['parts']): Message => ({ role: 'user', parts });
const answer = (...parts: Message['parts']): Message => ({ role: 'assistant', parts });
const call = (id: string, input: object): Message['parts'][number] => ({
  type: 'toolCall',
  toolCall: { id, name: 'look', input: { ...input } },
});

const [hi, hello, go] = [user(text('Hi!')), answer(text('Hello!')), user(text('Go!'))];
/** Returns the sources of each message, by place. */
const places = (before: readonly Message[], settled: readonly Message[]) => {
  const sources = sourcesOf(before, settled);
  return settled.map((message) => before.indexOf(sources.get(message) as Message));
};

const copied = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const sameText = (one: Message | undefined, other: Message) => JSON.stringify(one) === JSON.stringify(other);
/** Returns the number of equal messages before it. */
const nth = (list: readonly Message[], at: number) =>
  list.slice(0, at).filter((one) => sameText(one, list[at] as Message)).length;

describe('sourcesOf', () => {
  it('returns the message itself, the only one equal to a copy, or as many in order', () => {
    const messages = fc.array(
      fc.record({ role: fc.constantFrom('user', 'assistant'), of: fc.constantFrom('a', 'b', 'c', 'd') }),
    );
    const put = fc.option(fc.nat(10));
    fc.assert(
      fc.property(messages, fc.nat(10), put, (said, from, at) => {
        const before = said.map(({ role, of }) => ({ role, parts: [text(of)] }) as Message);
        const all = before.map((_, place) => place);
        expect(places(before, before)).to.deep.equal(all);
        expect(places(before, copied(before))).to.deep.equal(all);
        const added = at === null || before.length === 0 ? [] : [before[at % before.length] as Message];
        const settled: Message[] = copied([...added, ...before.slice(from)]);
        const count = (list: readonly Message[], one: Message) => list.filter((other) => sameText(other, one)).length;
        // If one was removed or inserted, its text does not identify it.
        const found = places(before, settled);
        for (const [index, message] of settled.entries()) {
          const same = all.filter((place) => sameText(before[place], message));
          if (same.length === count(settled, message)) expect(found[index]).to.equal(same[nth(settled, index)]);
        }
        const known = found.filter((place) => place >= 0);
        expect(new Set(known).size).to.equal(known.length);
      }),
    );
  });

  it('returns the one with a unique part or call, regardless of its place and origin', () => {
    const seen = user(text('My secret.'), media('a:b'));
    const edited = { ...user(text('gone'), media('a:b')), origin: 'edits' };
    expect(places([hi, hello, seen], [edited, userMessage('new'), hi, hello])).to.deep.equal([2, -1, 0, 1]);
    const [asked, done] = [answer(call('c1', { at: 'x' })), answer(call('c2', { at: 'x' }))];
    expect(places([asked, done], [answer(call('c2', { at: 'y' })), answer(call('c1', {}))])).to.deep.equal([1, 0]);
  });

  it('excludes a removed message if others have the same text', () => {
    const says = (...parts: Message['parts']) => answer(text('Let me look.'), ...parts);
    const [one, other] = [says(text('The salary is 9.')), says(text('Card 1234.'))];
    const clean = says(text('Card ****.'));
    expect(places([hi, one, go, other], [hi, go, clean])).to.deep.equal([0, 2, 3]);
    expect(places([one, other], [clean])).to.deep.equal([-1]);
    const silent = { type: 'thinking', text: '' } as const;
    const [dropped, left] = [answer(silent, text('9')), answer(silent, text('1234'))];
    expect(places([dropped, left], [answer(silent, text('****'))])).to.deep.equal([-1]);
    // Some models use the same IDs in each of their answers.
    const [first, second] = [answer(call('c', { at: '1' })), answer(call('c', { at: '2' }))];
    expect(places([first, second], [answer(call('c', { at: '3' }))])).to.deep.equal([-1]);
    expect(
      places([user(text('a'), media('a:b')), user(text('c'), media('c:d'))], [user(media('a:b'), media('c:d'))]),
    ).to.deep.equal([-1]);
  });

  it('returns the one of the same role between the same neighbours after a replacement', () => {
    expect(places([hi, hello, go], [user(text('Ho!')), hello, go])).to.deep.equal([0, 1, 2]);
    expect(places([hi, go, hello], [user(text('a')), user(text('b')), hello])).to.deep.equal([-1, -1, 2]);
    // One is added and another removed elsewhere.
    expect(places([hi, hello, go], [userMessage('new'), hi, hello])).to.deep.equal([-1, 0, 1]);
    // One replaces several, or is inserted next to a changed one.
    expect(places([hi, go, hello], [user(text('In short.')), hello])).to.deep.equal([-1, 2]);
    expect(places([hello, go], [hello, userMessage('Be brief.'), user(text('gone'))])).to.deep.equal([0, -1, -1]);
    // One is removed, and another inserted after a changed one.
    expect(places([user(text('a'), media('a:b')), hello], [answer(text('b')), user(text('c'))])).to.deep.equal([
      -1, -1,
    ]);
    // A message marked as injected by a hook takes no place.
    const hint = { ...userMessage('Be brief.'), origin: 'hints' };
    expect(places([hello, go], [hello, hint, user(text('gone'))])).to.deep.equal([0, -1, 1]);
  });

  it('returns each in its place if a whole conversation is changed', () => {
    const turns = [hi, hello, go, answer(text('Gone.')), userMessage('Bye.')];
    const changed = turns.map(({ role }, at) => ({ role, parts: [text(`said otherwise ${at}`)] }));
    expect(places(turns, changed)).to.deep.equal([0, 1, 2, 3, 4]);
    expect(places([...turns, answer(text('So long.'))], changed)).to.deep.equal([-1, -1, -1, -1, -1]);
  });

  it('finds sources without comparing each pair', () => {
    const reads = (count: number, settle?: (before: readonly Message[]) => readonly Message[]): number => {
      let read = 0;
      const counted = (said: string): Message => ({
        role: 'user',
        get parts() {
          read += 1;
          return [text(said)];
        },
      });
      const before = Array.from({ length: count }, (_, at) => counted(`secret ${at}`));
      const settled = settle?.(before) ?? before.map((_, at) => counted(`gone ${at}`));
      sourcesOf(before, settled);
      return read;
    };
    expect(reads(1_000)).to.be.at.most(10 * reads(100));
    // Unchanged messages are not read.
    expect(reads(10, (before) => before)).to.equal(0);
  });
});
