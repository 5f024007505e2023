import { expect } from 'chai';
import { createRedactor } from '../../lib/redaction/index.ts';

describe('regions of secrets', () => {
  const redactor = createRedactor([
    { id: 'inner', pattern: /in-[a-z]{4}\./ },
    { id: 'outer', pattern: /out=(\S{4,40})/ },
    { id: 'key', pattern: /begin:([a-z=]+)/, swallow: true },
  ]);

  it('keep the name that their marker was given out with, whatever is found to overlap them later', () => {
    const text = 'begin:abcout=d1234-in-abcd.ef done';
    const whole = redactor.redact(text);
    expect(whole.text).to.equal('begin:[REDACTED:key] done');
    const stream = redactor.stream();
    const shown = text.split('').map((unit) => stream.write(unit));
    expect(shown.slice(0, 7).join('')).to.equal('begin:[REDACTED:key]');
    expect(shown.join('') + stream.end()).to.equal(whole.text);
    expect(stream.findings).to.deep.equal(whole.findings);
  });

  it('stay apart where they only touch', () => {
    expect(redactor.redact('in-abcd.in-abcd.').text).to.equal('[REDACTED:inner][REDACTED:inner]');
  });
});
