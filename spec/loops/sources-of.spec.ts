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

describe('what settled messages are made of', () => {
  it('is the message itself, or what a copy says, in their order', () => {
    const messages = fc.array(
      fc.record({ role: fc.constantFrom('user', 'assistant'), of: fc.constantFrom('a', 'b', 'c') }),
    );
    fc.assert(
      fc.property(messages, (said) => {
        const before = said.map(({ role, of }) => ({ role, parts: [text(of)] }) as Message);
        const all = before.map((_, at) => at);
        expect(places(before, before)).to.deep.equal(all);
        expect(places(before, structuredClone(before))).to.deep.equal(all);
        expect(places(before, [userMessage('new'), ...structuredClone(before)])).to.deep.equal([-1, ...all]);
      }),
    );
  });

  it('is one with a part or a call of theirs, wherever it stands and whatever it says of its origin', () => {
    const seen = user(text('My secret.'), media('a:b'));
    const edited = { ...user(text('gone'), media('a:b')), origin: 'edits' };
    expect(places([hi, hello, seen], [edited, userMessage('new'), hi, hello])).to.deep.equal([2, -1, 0, 1]);
    const [asked, done] = [answer(call('c1', { at: 'x' })), answer(call('c2', { at: 'x' }))];
    expect(places([asked, done], [answer(call('c2', { at: 'y' })), answer(call('c1', {}))])).to.deep.equal([1, 0]);
  });

  it('is one of their role between the same neighbours, where as many are gone as have come', () => {
    expect(places([hi, hello, go], [user(text('Ho!')), hello, go])).to.deep.equal([0, 1, 2]);
    expect(places([hi, go, hello], [user(text('a')), user(text('b')), hello])).to.deep.equal([0, 1, 2]);
    // One is added and one taken out elsewhere.
    expect(places([hi, hello, go], [userMessage('new'), hi, hello])).to.deep.equal([-1, 0, 1]);
    // One stands for several, or is put in beside one that is changed.
    expect(places([hi, go, hello], [user(text('In short.')), hello])).to.deep.equal([-1, 2]);
    expect(places([hello, go], [hello, userMessage('Be brief.'), user(text('gone'))])).to.deep.equal([0, -1, -1]);
    // What says that a hook has put it in takes no place.
    const hint = { ...userMessage('Be brief.'), origin: 'hints' };
    expect(places([hello, go], [hello, hint, user(text('gone'))])).to.deep.equal([0, -1, 1]);
  });
});
