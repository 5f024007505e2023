import { expect } from 'chai';
import { rawResult } from '../../lib/loops/index.ts';

const settled = (content: string) => ({ content, isError: false });

describe('raw value of a result', () => {
  it('stays the same object if hooks have not changed its text', () => {
    const value = { at: new Date(0) };
    const raw = rawResult(value, 'look');
    expect(raw.result.content).to.equal('{"at":"1970-01-01T00:00:00.000Z"}');
    expect(raw.restore(settled(raw.result.content))).to.equal(value);
  });

  it('is parsed from a changed text as JSON, unless the value was a string', () => {
    const raw = rawResult({ sum: 3 }, 'add');
    expect(raw.restore(settled('{"sum":4}'))).to.deep.equal({ sum: 4 });
    expect(raw.restore(settled('[redacted]'))).to.equal('[redacted]');
    expect(rawResult('3', 'add').restore(settled('4'))).to.equal('4');
  });

  it('has a substitute text if JSON cannot represent it, and stays unchanged', () => {
    const loop: { n: bigint; self?: object; twice: object[] } = { n: 10n, twice: [] };
    loop.self = loop;
    const one = { at: 1 };
    loop.twice.push(one, one);
    const raw = rawResult(loop, 'look');
    expect(JSON.parse(raw.result.content)).to.deep.equal({ n: '10', self: '[Circular]', twice: [one, one] });
    expect(raw.restore(settled(raw.result.content))).to.equal(loop);
    expect(rawResult(1n, 'add').result.content).to.equal('"1"');
  });

  it("is rejected by the tool's name if unreadable", () => {
    const broken = {
      get at() {
        throw new Error('gone');
      },
    };
    expect(() => rawResult(broken, 'add')).to.throw('The result of tool "add" is not JSON, so hooks cannot judge it');
  });
});
