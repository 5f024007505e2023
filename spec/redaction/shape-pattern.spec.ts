import { expect } from 'chai';
import { shapePattern } from '../../lib/redaction/rules/shape-pattern.ts';

const fits = (shape: string, text: string) => new RegExp(`^(?:${shapePattern(shape)})$`).test(text);

describe('shapePattern', () => {
  it('counts characters of classes', () => {
    expect(fits('key_<h4>', 'key_09af')).to.equal(true);
    expect(fits('key_<h4>', 'key_09aF') || fits('key_<h4>', 'key_09a') || fits('key_<h4>', 'key_09aff')).to.equal(
      false,
    );
    expect(['ab', 'ab1', 'ab12'].map((text) => fits('<a2-3>', text))).to.deep.equal([true, true, false]);
    expect(fits('<d2->', '1'.repeat(99))).to.equal(true);
    expect(fits('<b2><=0-2>', 'a+==')).to.equal(true);
    expect(fits('<uuid>', '6f1c2b3a-8d4e-4f5a-9b6c-7d8e9f0a1b2c')).to.equal(true);
  });

  it('takes all other text literally, except alternatives and word edges', () => {
    expect(fits('a.b+c', 'a.b+c')).to.equal(true);
    expect(fits('a.b', 'axb')).to.equal(false);
    expect(['sk_1', 'rk_1', 'k_1'].map((text) => fits('(sk|rk)_<d1>', text))).to.deep.equal([true, true, false]);
    expect(shapePattern('^ab<d2>$')).to.equal('\\bab[0-9]{2}\\b');
  });
});
