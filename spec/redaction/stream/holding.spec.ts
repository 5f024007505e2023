import { expect } from 'chai';
import { createRedactor } from '../../../lib/redaction/index.ts';
import { known, sampleRules } from '../sample-rules.ts';

const redactor = createRedactor(sampleRules, { known: [known] });

/** Returns the length of the output after each character. */
function pace(text: string): number[] {
  const stream = redactor.stream();
  let given = 0;
  return text.split('').map((unit) => {
    given += stream.write(unit).length;
    return given;
  });
}

describe('text that a stream holds back', () => {
  it('is not the context of a secret', () => {
    const text = 'say password = ';
    expect(pace(text).at(-1)).to.equal(text.length);
    const stream = redactor.stream();
    expect(stream.write('say password = ')).to.equal('say password = ');
    expect(stream.write('hunter2-hunter3')).to.equal('');
    expect(stream.write(' ')).to.equal('[REDACTED:assigned] ');
  });

  it('is released by the end of its word if it cannot become a secret', () => {
    const text = 'plain words, ghosts, kkk, passwords and one number: all of them go out. ';
    const given = pace(text);
    for (const [at, unit] of text.split('').entries()) if (unit === ' ') expect(given[at]).to.equal(at + 1);
  });

  it('excludes an endless key, which is swallowed behind its marker in bounded memory', () => {
    for (const [head, label] of [
      ['kk-', 'endless'],
      ['-----BEGIN RSA KEY-----', 'pem'],
    ]) {
      const stream = redactor.stream();
      let shown = stream.write(`go ${head}`);
      for (let k = 0; k < 20_000; k++) shown += stream.write('abcdefgh');
      shown += `${stream.write('. Done.')}${stream.end()}`;
      expect(shown).to.equal(`go ${label === 'pem' ? head : ''}[REDACTED:${label}]. Done.`);
      expect(stream.findings).to.have.length(1);
    }
  });

  it('stays bounded if secrets overlap without end', () => {
    const chained = createRedactor([{ id: 'a', pattern: /ab[a-z]{2,6}/ }]);
    const stream = chained.stream();
    let shown = '';
    for (let k = 0; k < 40_000; k++) shown += stream.write('abab');
    expect(shown, 'a marker that does not wait for the end').to.equal('[REDACTED:a]');
    expect(stream.write(' b') + stream.end()).to.equal(' b');
    expect(stream.findings).to.deep.equal([{ rule: 'a', confidence: 'format', start: 0, end: 160_000 }]);
  });

  it('includes the beginning of a secret, even after the context of another one', () => {
    const two = createRedactor([
      { id: 'context', pattern: /foogh=(\d{4})/ },
      { id: 'secret', pattern: /ghp_\d{4}/ },
    ]);
    const stream = two.stream();
    expect(stream.write('foog')).to.equal('foo');
    expect(stream.write('hp_1234') + stream.end()).to.equal('[REDACTED:secret]');
  });

  it('is not longer than a lazy pattern requires', () => {
    const stream = createRedactor([{ id: 'r', pattern: /key-[a-z]{4,}?/ }]).stream();
    expect(stream.write('key-abcd')).to.equal('');
    expect(stream.write('efgh')).to.equal('[REDACTED:r]efgh');
  });

  it('includes a high surrogate until its other half arrives', () => {
    const stream = redactor.stream();
    expect(stream.write('a\ud83d')).to.equal('a');
    expect(stream.write('\ude00')).to.equal('😀');
    expect(stream.write('\ud83d')).to.equal('');
    expect(stream.end()).to.equal('\ud83d');
  });

  it('is not shown if the stream is cut', () => {
    const cases = {
      'is ghp_abc': 'is [REDACTED:unfinished]',
      'is 😀\ud83d': 'is 😀',
      'is [': 'is [',
    };
    for (const [text, shown] of Object.entries(cases)) {
      const stream = redactor.stream();
      const out = stream.write(text);
      expect(out + stream.abort()).to.equal(shown);
      expect(stream.findings).to.deep.equal([]);
    }
    const stream = redactor.stream();
    expect(stream.write('password=hunter2-hunter3') + stream.abort()).to.equal('password=[REDACTED:assigned]');
  });
});
