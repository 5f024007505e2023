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
/** Which of those before each is made of, by its place. */
const places = (before: readonly Message[], settled: readonly Message[]) => {
  const sources = sourcesOf(before, settled);
  return settled.map((message) => before.indexOf(sources.get(message) as Message));
};

const copied = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const sameText = (one: Message | undefined, other: Message) => JSON.stringify(one) === JSON.stringify(other);
/** How many before it say the same. */
const nth = (list: readonly Message[], at: number) =>
  list.slice(0, at).filter((one) => sameText(one, list[at] as Message)).length;

describe('what settled messages are made of', () => {
  it('is the message itself, or the only one that says what a copy says, or as many in their order', () => {
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
        // Where one was taken out, or put in, its words do not tell which.
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

  it('is the one with a part or a call of theirs that no other has, wherever it stands and whatever it says of its origin', () => {
    const seen = user(text('My secret.'), media('a:b'));
    const edited = { ...user(text('gone'), media('a:b')), origin: 'edits' };
    expect(places([hi, hello, seen], [edited, userMessage('new'), hi, hello])).to.deep.equal([2, -1, 0, 1]);
    const [asked, done] = [answer(call('c1', { at: 'x' })), answer(call('c2', { at: 'x' }))];
    expect(places([asked, done], [answer(call('c2', { at: 'y' })), answer(call('c1', {}))])).to.deep.equal([1, 0]);
  });

  it('is none that has been taken out, for words that others say too', () => {
    const says = (...parts: Message['parts']) => answer(text('Let me look.'), ...parts);
    const [one, other] = [says(text('The salary is 9.')), says(text('Card 1234.'))];
    const clean = says(text('Card ****.'));
    expect(places([hi, one, go, other], [hi, go, clean])).to.deep.equal([0, 2, 3]);
    expect(places([one, other], [clean])).to.deep.equal([-1]);
    const silent = { type: 'thinking', text: '' } as const;
    const [dropped, left] = [answer(silent, text('9')), answer(silent, text('1234'))];
    expect(places([dropped, left], [answer(silent, text('****'))])).to.deep.equal([-1]);
    // Some models give each of their answers the same ids again.
    const [first, second] = [answer(call('c', { at: '1' })), answer(call('c', { at: '2' }))];
    expect(places([first, second], [answer(call('c', { at: '3' }))])).to.deep.equal([-1]);
    expect(
      places([user(text('a'), media('a:b')), user(text('c'), media('c:d'))], [user(media('a:b'), media('c:d'))]),
    ).to.deep.equal([-1]);
  });

  it('is the one of their role between the same neighbours, where one is gone and one has come', () => {
    expect(places([hi, hello, go], [user(text('Ho!')), hello, go])).to.deep.equal([0, 1, 2]);
    expect(places([hi, go, hello], [user(text('a')), user(text('b')), hello])).to.deep.equal([-1, -1, 2]);
    // One is added and one taken out elsewhere.
    expect(places([hi, hello, go], [userMessage('new'), hi, hello])).to.deep.equal([-1, 0, 1]);
    // One stands for several, or is put in beside one that is changed.
    expect(places([hi, go, hello], [user(text('In short.')), hello])).to.deep.equal([-1, 2]);
    expect(places([hello, go], [hello, userMessage('Be brief.'), user(text('gone'))])).to.deep.equal([0, -1, -1]);
    // One is taken out, and another put in behind what was changed.
    expect(places([user(text('a'), media('a:b')), hello], [answer(text('b')), user(text('c'))])).to.deep.equal([
      -1, -1,
    ]);
    // What says that a hook has put it in takes no place.
    const hint = { ...userMessage('Be brief.'), origin: 'hints' };
    expect(places([hello, go], [hello, hint, user(text('gone'))])).to.deep.equal([0, -1, 1]);
  });

  it('is each in its place where all of a conversation are changed', () => {
    const turns = [hi, hello, go, answer(text('Gone.')), userMessage('Bye.')];
    const changed = turns.map(({ role }, at) => ({ role, parts: [text(`said otherwise ${at}`)] }));
    expect(places(turns, changed)).to.deep.equal([0, 1, 2, 3, 4]);
    expect(places([...turns, answer(text('So long.'))], changed)).to.deep.equal([-1, -1, -1, -1, -1]);
  });

  it('is found without comparing each with every other', () => {
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
    // What is as it was is not even looked at.
    expect(reads(10, (before) => before)).to.equal(0);
  });
});
