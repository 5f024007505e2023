import { expect } from 'chai';
import { rawResult } from '../../lib/loops/index.ts';

const settled = (content: string) => ({ content, isError: false });

describe('the raw value of a result', () => {
  it('stays the very object where hooks have left its text', () => {
    const value = { at: new Date(0) };
    const raw = rawResult(value, 'look');
    expect(raw.result.content).to.equal('{"at":"1970-01-01T00:00:00.000Z"}');
    expect(raw.restore(settled(raw.result.content))).to.equal(value);
  });

  it('is made anew of a changed text: JSON where it was no string, as far as it is JSON', () => {
    const raw = rawResult({ sum: 3 }, 'add');
    expect(raw.restore(settled('{"sum":4}'))).to.deep.equal({ sum: 4 });
    expect(raw.restore(settled('[redacted]'))).to.equal('[redacted]');
    expect(rawResult('3', 'add').restore(settled('4'))).to.equal('4');
  });

  it('that is no JSON is refused by the tool’s name', () => {
    expect(() => rawResult(1n, 'add')).to.throw('The result of tool "add" cannot be shown to hooks');
  });
});
