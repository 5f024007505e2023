import { expect } from 'chai';
import fc from 'fast-check';
import { createFields } from '../../../lib/hooks/structured-output/fields.ts';

describe('createFields', () => {
  it('emits each field when it is complete, split anywhere', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
        fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
        fc.constantFrom(undefined, 2),
        (value, lengths, indent) => {
          const object = JSON.parse(JSON.stringify(value));
          let rest = JSON.stringify(object, undefined, indent);
          const members = createFields();
          const shown: object[] = [];
          for (const length of lengths) {
            if (rest === '') break;
            shown.push(...members.add(rest.slice(0, length)));
            rest = rest.slice(length);
          }
          const entries = Object.entries(object);
          const grown = entries.map((_, at) => Object.fromEntries(entries.slice(0, at + 1)));
          expect(shown).to.deep.equal(grown);
        },
      ),
    );
  });

  it('reads a text of any length in one pass', () => {
    const members = createFields();
    const parse = JSON.parse;
    let read = 0;
    JSON.parse = (text: string) => {
      read += text.length;
      return parse(text);
    };
    try {
      const text = JSON.stringify({ list: Array.from({ length: 2_000 }, (_, at) => ({ at })), end: 1 });
      for (const char of text) members.add(char);
      expect(read).to.be.within(text.length, text.length + 10);
    } finally {
      JSON.parse = parse;
    }
  });

  it('emits nothing for invalid JSON', () => {
    for (const text of ['{a: 1, "b": 2}', '{"a": 1,, "b": 2}', 'none']) {
      const shown = createFields().add(text);
      expect(shown.filter((one) => 'b' in one)).to.deep.equal([]);
    }
  });
});
