import { expect } from 'chai';
import fc from 'fast-check';
import type { PostActing } from '../../../lib/events/post-acting.ts';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import { hasGrown, printCall } from '../../../lib/hooks/loop-guard/call-print.ts';

type Ended = Parameters<typeof printCall>[0];
const ended = (input: JsonObject, content = 'ok', more: Partial<PostActing> = {}): Ended => ({
  toolCall: { id: String(Math.random()), name: 'tool', input },
  result: { content, isError: false },
  outcome: 'executed',
  permission: 'read',
  ...more,
});
const all = { results: true, prose: false, counters: true };
const print = (input: JsonObject, content?: string, more?: Partial<PostActing>) =>
  printCall(ended(input, content, more), all);
/** Whether the second call counts as a repetition of the first. */
function again(one: Ended, two: Ended): boolean {
  const [a, b] = [printCall(one, all), printCall(two, all)];
  return (
    a.call === b.call || (a.shape !== undefined && a.shape === b.shape && hasGrown(a.counters ?? [], b.counters ?? []))
  );
}

const words = fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,6})?$/);
const inputs = fc.dictionary(
  fc.constantFrom('path', 'text', 'flag', 'list'),
  fc.oneof(words, fc.boolean(), fc.array(words)),
);

describe('printCall', () => {
  it('distinguishes results, and only results', () =>
    fc.assert(
      fc.property(inputs, words, words, (input, first, second) => {
        expect(print(input, first).call === print(input, second).call).to.equal(first === second);
        const blind = { ...all, results: false };
        expect(printCall(ended(input, first), blind).call).to.equal(printCall(ended(input, second), blind).call);
        expect(printCall(ended(input, first), { ...all, prose: true }).call).to.equal(
          printCall(ended(input, second), blind).call,
        );
      }),
    ));

  it('ignores white space, invisible characters and the order of fields', () => {
    const spaces = fc.constantFrom(' ', '  ', '\n', '\t', '\u00a0', '\u200b ', ' \u2060');
    fc.assert(
      fc.property(words, spaces, spaces, (text, before, after) => {
        const spaced = `${before}${text.replace(' ', before)}${after}`;
        expect(print({ text, path: 'a' }, spaced)).to.deep.equal(print({ path: 'a', text: spaced }, text));
      }),
    );
  });

  it('finds any number or time that grows while the result stays the same', () => {
    const fields = fc.constantFrom('attempt', 'page', 'x', 'since');
    const growing = fc.oneof(
      fc.tuple(fc.nat(), fc.integer({ min: 1 })).map(([from, by]) => [from, from + by] as const),
      fc
        .tuple(fc.nat(), fc.integer({ min: 1, max: 9 }))
        .map(([from, by]) => [String(from), String(from + by)] as const),
      fc
        .tuple(
          fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
          fc.integer({ min: 1, max: 1e9 }),
        )
        .map(([from, by]) => [from.toISOString(), new Date(from.getTime() + by).toISOString()] as const),
    );
    fc.assert(
      fc.property(inputs, fields, growing, words, (input, name, [small, large], content) => {
        const one = { ...input, [name]: small };
        const two = { ...input, [name]: large };
        expect(again(ended(one, content), ended(two, content))).to.equal(true);
        expect(again(ended(two, content), ended(one, content))).to.equal(false);
        expect(again(ended(one, content), ended(two, `${content} more`))).to.equal(false);
        expect(again(ended({ ...one, other: 'a' }, content), ended({ ...two, other: 'b' }, content))).to.equal(false);
        expect(printCall(ended(one, content), { ...all, counters: false })).to.have.keys('call');
      }),
    );
  });

  it('finds a counter that the result repeats', () => {
    expect(again(ended({ n: 1 }, 'look 1 of 9: no'), ended({ n: 2 }, 'look 2 of 9: no'))).to.equal(true);
    expect(again(ended({ n: 1 }, 'look 1 of 9: no'), ended({ n: 2 }, 'look 2 of 8: no'))).to.equal(false);
  });

  it('reads numbers in write calls as tasks, except attempt numbers and failed calls', () => {
    for (const permission of ['write', 'external'] as const) {
      const wrote = (input: JsonObject, isError = false) =>
        ended(input, 'ok', { permission, result: { content: 'ok', isError } });
      expect(again(wrote({ id: 17 }), wrote({ id: 18 })), 'id').to.equal(false);
      expect(again(wrote({ id: 17 }, true), wrote({ id: 18 }, true)), 'failed').to.equal(true);
      for (const name of ['attempt', 'retryCount', 'retry_count', 'counter', 'n', 'timestamp', 'requestId', 'nonce'])
        expect(again(wrote({ id: 17, [name]: 1 }), wrote({ id: 17, [name]: 2 })), name).to.equal(true);
      for (const name of ['page', 'offset', 'row', 'notes', 'annotation', 'country'])
        expect(again(wrote({ [name]: 1 }), wrote({ [name]: 2 })), name).to.equal(false);
    }
  });

  it('treats denied calls as equal for any reason, and failed calls by their error', () => {
    const denied = (content: string) =>
      ended({ a: 'b' }, content, { outcome: 'denied', result: { content, isError: true } });
    expect(again(denied('try again in 9 s'), denied('try again in 8 s'))).to.equal(true);
    const failed = (content: string) =>
      ended({ a: 'b' }, content, { outcome: 'failed', result: { content, isError: true } });
    expect(again(failed('no file'), failed('no file'))).to.equal(true);
    expect(again(failed('no file'), failed('no right'))).to.equal(false);
    expect(again(failed('no file'), ended({ a: 'b' }, 'no file'))).to.equal(false);
  });

  it('compares media', () => {
    const shown = (url: string) => ended({}, '', { result: { content: '', isError: false, media: [{ url }] } });
    expect(again(shown('media://1'), shown('media://1'))).to.equal(true);
    expect(again(shown('media://1'), shown('media://2'))).to.equal(false);
  });
});
