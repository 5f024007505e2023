import { expect } from 'chai';
import { createRedactor, type Rule } from '../../../lib/redaction/index.ts';

const shown = (rule: Partial<Rule>, text: string) =>
  createRedactor([{ id: 'r', pattern: /key=(\w+)/, ...rule }])
    .redact(text)
    .text.replaceAll('[REDACTED:r]', '#');

describe('a match of a pattern', () => {
  it('is not a secret if its entropy is too low', () => {
    expect(shown({ entropy: 2 }, 'key=abababab key=a1b2c3d4')).to.equal('key=abababab key=#');
  });

  for (const [target, pattern] of [
    ['secret', /^sample/],
    ['match', /^key=sample/],
    ['line', /^# /],
  ] as const) {
    it(`is not a secret if an allowance applies to its ${target}`, () => {
      expect(shown({ allow: [{ pattern, target }] }, '# key=sample1\nx key=real1')).to.equal('# key=sample1\nx key=#');
    });
  }

  it('is a secret if its check throws, and none if the check rejects it', () => {
    const check = (value: string): boolean => {
      if (value === 'odd') throw new Error('cannot tell');
      return value !== 'fine';
    };
    expect(shown({ check }, 'key=odd key=fine key=abc')).to.equal('key=# key=fine key=#');
  });

  for (const [confidence, asked] of [
    ['guessed', []],
    ['assigned', ['a1']],
    ['format', ['a1']],
  ] as const) {
    it(`is checked by a later "${confidence}" rule only if that is surer than "guessed"`, () => {
      const values: string[] = [];
      const pattern = /key=(\w+)/;
      const check = (value: string): boolean => values.push(value) > 0;
      const redactor = createRedactor([
        { id: 'first', pattern, confidence: () => 'guessed' },
        { id: 'second', pattern, check, confidence: () => confidence },
      ]);
      expect(redactor.redact('key=a1 ').findings).to.deep.equal([{ rule: 'first', confidence, start: 4, end: 6 }]);
      expect(values).to.deep.equal(asked);
    });
  }
});
