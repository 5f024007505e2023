import { expect } from 'chai';
import type { Message } from '../../lib/events/parts/message.ts';
import { keepKnown } from '../../lib/loops/keep-known.ts';

const call = (input: object, metadata?: object): Message => ({
  role: 'assistant',
  parts: [
    { type: 'toolCall', toolCall: { id: 'c1', name: 'look', input: input as never }, ...(metadata && { metadata }) },
  ] as never,
});
const keepMessages = () => keepKnown((message: Message): Message => JSON.parse(JSON.stringify(message)));
const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const inputOf = ({ parts: [part] }: Message): unknown => part?.type === 'toolCall' && part.toolCall.input;

describe('keepKnown', () => {
  it('returns the same objects as in the step before if their content is equal', () => {
    const keep = keepMessages();
    const first = keep([user('Go.'), call({ at: [1, { x: null }] }, { acme: { mark: 'm' } })]);
    const second = keep([user('Go.'), call({ at: [1, { x: null }] }, { acme: { mark: 'm' } }), user('On.')]);
    expect(second[0]).to.equal(first[0]);
    expect(second[1]).to.equal(first[1]);
    expect(second[2]).to.deep.equal(user('On.'));
  });

  it('reads messages again if the host has changed them in place', () => {
    const keep = keepMessages();
    const input = { at: ['x'], deep: { is: true } as Record<string, unknown> };
    const [first] = keep([call(input)]);
    input.deep['is'] = false;
    const [second] = keep([call(input)]);
    input.at.push('y');
    const [third] = keep([call(input)]);
    delete input.deep['is'];
    const [fourth] = keep([call(input)]);
    expect([first, second, third, fourth].map((one) => inputOf(one as Message))).to.deep.equal([
      { at: ['x'], deep: { is: true } },
      { at: ['x'], deep: { is: false } },
      { at: ['x', 'y'], deep: { is: false } },
      { at: ['x', 'y'], deep: {} },
    ]);
  });

  it('shares no data with the host', () => {
    const input = { at: { x: 1 } };
    const metadata = { acme: { mark: 'm' } };
    const [kept] = keepMessages()([call(input, metadata)]);
    expect(inputOf(kept as Message)).not.to.equal(input);
    input.at.x = 2;
    metadata.acme.mark = 'n';
    expect(kept).to.deep.equal(call({ at: { x: 1 } }, { acme: { mark: 'm' } }));
  });

  it('returns the JSON form of values', () => {
    const keep = keepMessages();
    const given = { on: new Date(0), none: undefined, list: [undefined, Number.NaN], map: new Map() };
    const told = { on: '1970-01-01T00:00:00.000Z', list: [null, null], map: {} };
    for (const _ of [1, 2]) expect(inputOf(keep([call(given)])[0] as Message)).to.deep.equal(told);
    const [first] = keep([call({ a: 1, none: undefined })]);
    expect(keep([call({ a: 1, none: undefined })])[0]).to.equal(first);
  });

  it('distinguishes messages that differ in a type, a name or a place', () => {
    const pairs: readonly (readonly [object, object])[] = [
      [{ a: [] }, { a: {} }],
      [{ a: 1 }, { b: 1 }],
      [{ a: '1' }, { a: 1 }],
      [{ a: null }, { a: {} }],
      [{ a: [1, 2] }, { a: [2, 1] }],
      [{ a: [1, 2] }, { a: [1] }],
      [{ a: 1, b: 2 }, { a: 1 }],
      [{ a: 1 }, { constructor: Object }],
      [{ a: {} }, { a: new Date(0) }],
    ];
    for (const [before, after] of pairs) {
      const keep = keepMessages();
      keep([call(before)]);
      expect(inputOf(keep([call(after)])[0] as Message)).to.deep.equal(JSON.parse(JSON.stringify(after)));
    }
  });

  it('returns the messages of the step after the history is summarised', () => {
    const keep = keepMessages();
    keep([user('one'), user('two'), user('three')]);
    expect(keep([user('summary'), user('three')])).to.deep.equal([user('summary'), user('three')]);
    expect(keep([user('summary'), user('three'), user('four')])).to.have.length(3);
  });

  it('compares only what is read, and reads nothing twice', () => {
    const host = { text: 'a', other: 1 };
    let reads = 0;
    const keep = keepKnown(
      ({ text }: typeof host) => ({ text, nth: ++reads }),
      ({ text }) => text,
    );
    const [first] = keep([host]);
    host.other = 2;
    expect(keep([host])[0]).to.equal(first);
    host.text = 'b';
    expect(keep([host])).to.deep.equal([{ text: 'b', nth: 2 }]);
  });

  it('compares bytes by identity, and reads values with a circle each time', () => {
    let reads = 0;
    const keep = keepKnown((_: object) => ++reads);
    const data = new Uint8Array([1]);
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(keep([{ data }, circle])).to.deep.equal([1, 2]);
    expect(keep([{ data }, circle])).to.deep.equal([1, 3]);
    expect(keep([{ data: new Uint8Array([1]) }])).to.deep.equal([4]);
  });
});
