import { expect } from 'chai';
import { createRedactor, type Rule } from '../../../lib/redaction/index.ts';
import { addRegion, newRegion } from '../../../lib/redaction/scan/regions.ts';

describe('a region', () => {
  const redactor = createRedactor([
    { id: 'inner', pattern: /in-[a-z]{4}\./ },
    { id: 'outer', pattern: /out=(\S{4,40})/ },
    { id: 'key', pattern: /begin:([a-z=]+)/, swallow: true },
  ]);

  it('keeps the name of its released marker despite later overlaps', () => {
    const text = 'begin:abcout=d1234-in-abcd.ef done';
    const whole = redactor.redact(text);
    expect(whole.text).to.equal('begin:[REDACTED:key] done');
    const stream = redactor.stream();
    const shown = text.split('').map((unit) => stream.write(unit));
    expect(shown.slice(0, 7).join('')).to.equal('begin:[REDACTED:key]');
    expect(shown.join('') + stream.end()).to.equal(whole.text);
    expect(stream.findings).to.deep.equal(whole.findings);
  });

  it('extends to the longest overlapping secret, under the name of the first rule', () => {
    const regions = [newRegion('', 0, 0, 10, 1, 0)];
    addRegion(regions, newRegion('', 0, 2, 5, 0, 0));
    expect(regions).to.have.length(1);
    expect(regions[0]).to.include({ start: 0, end: 10, order: 0 });
  });

  it('does not split a surrogate pair', () => {
    expect(newRegion('a😀b', 0, 0, 2, 0, 0)).to.include({ start: 0, end: 3 });
    expect(newRegion('a😀b', 0, 2, 4, 0, 0)).to.include({ start: 1, end: 4 });
  });

  it('stays separate from one that it only touches', () => {
    expect(redactor.redact('in-abcd.in-abcd.').text).to.equal('[REDACTED:inner][REDACTED:inner]');
  });

  const byUnits = (rules: readonly Rule[], text: string) => {
    const stream = createRedactor(rules).stream();
    const shown = text.split('').map((unit) => stream.write(unit));
    return { text: shown.join('') + stream.end(), findings: stream.findings };
  };

  it('never overlaps another, in any order of several that swallow', () => {
    const rules = [
      { id: 'letter', pattern: /(\w)/, swallow: true },
      { id: 'word', pattern: /(?:a|(?:ab)+?a)a/, swallow: true },
    ];
    const whole = createRedactor(rules).redact('abab');
    expect(whole).to.deep.equal({
      text: '[REDACTED:letter]',
      findings: [{ rule: 'letter', confidence: 'format', start: 0, end: 4 }],
    });
    expect(byUnits(rules, 'abab')).to.deep.equal(whole);
  });

  it('ends with the swallowed text and shows the context after it', () => {
    const rules = [{ id: 'key', pattern: /key ([a-z]+); for [a-z ]+!/, swallow: true }];
    const whole = createRedactor(rules).redact('key abc; for all of us');
    expect(whole.text).to.equal('key [REDACTED:key]; for all of us');
    expect(byUnits(rules, 'key abc; for all of us')).to.deep.equal(whole);
  });

  it('has the name of the first rule in any chunks, if a decoded text adds a secret with its beginning', () => {
    const usual = createRedactor();
    const text = 'apikey=eyJiOiIxIn0.\u200b.-----BEGINPRIVATE KEY-----M';
    const whole = usual.redact(text);
    expect(whole.findings).to.deep.equal([{ rule: 'jwt', confidence: 'format', start: 7, end: text.length }]);
    for (let cut = 0; cut <= text.length; cut++) {
      const stream = usual.stream();
      const shown = stream.write(text.slice(0, cut)) + stream.write(text.slice(cut)) + stream.end();
      expect({ text: shown, findings: stream.findings }, `cut at ${cut}`).to.deep.equal(whole);
    }
  });

  it('includes the text between two swallowed parts', () => {
    const rules = [{ id: 'key', pattern: /keys:(?: ([a-z]+))+/, swallow: true }];
    const whole = createRedactor(rules).redact('keys: abc def 1');
    expect(whole.text).to.equal('keys: [REDACTED:key] 1');
    expect(byUnits(rules, 'keys: abc def 1')).to.deep.equal(whole);
  });
});
