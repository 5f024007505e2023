import { expect } from 'chai';
import { createRedactor } from '../../lib/redaction/index.ts';
import { known, sampleRules, samples } from './sample-rules.ts';

const redactor = createRedactor(sampleRules, { known: [known] });

describe('a redactor', () => {
  for (const { rule, before, secret } of samples) {
    const text = `Vault: so ${before}${secret} and on`;
    const start = text.indexOf(secret);

    it(`redacts ${rule.id}, and only that, at every split point`, () => {
      const whole = redactor.redact(text);
      expect(whole.text).to.equal(
        `Vault: so ${before}[REDACTED:${rule.id}]${rule.id === 'pem' ? '' : ' '}and on`.replace('pem]and on', 'pem]'),
      );
      expect(whole.findings[0]).to.include({ rule: rule.id, start });
      for (let first = 0; first <= text.length; first++) {
        for (let second = first; second <= text.length; second++) {
          const stream = redactor.stream();
          const parts = [text.slice(0, first), text.slice(first, second), text.slice(second)];
          expect(parts.map((part) => stream.write(part)).join('') + stream.end()).to.equal(whole.text);
          expect(stream.findings).to.deep.equal(whole.findings);
        }
      }
    });

    it(`releases nothing of ${rule.id} before it is known`, () => {
      const stream = redactor.stream();
      let shown = stream.write(text.slice(0, start));
      for (const unit of secret.split('')) shown += stream.write(unit);
      expect(text.slice(0, start).startsWith(shown.replace(/\[.*/s, ''))).to.equal(true);
    });
  }

  it('finds known values in base64, URLs, HTML, JSON and JSON in JSON', () => {
    const { value } = known;
    const ways = [
      value,
      encodeURIComponent(value),
      encodeURIComponent(value).toLowerCase(),
      new URLSearchParams({ q: value }).toString().slice(2),
      JSON.stringify(value).slice(1, -1),
      JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
      JSON.stringify(ascii(JSON.stringify(value).slice(1, -1))).slice(1, -1),
      value.replaceAll('"', '&quot;'),
      ...[10, 16].map((base) => entities(value, base)),
      ...['', 'a', 'ab']
        .flatMap((lead) => ['', 'z', 'zz'].map((tail) => Buffer.from(lead + value + tail)))
        .flatMap((bytes) => [bytes.toString('base64'), bytes.toString('base64url')]),
    ];
    for (const way of ways) {
      const { text, findings } = redactor.redact(`it is ${way} here`);
      expect(
        findings.map(({ rule }) => rule),
        way,
      ).to.deep.equal(['KEY']);
      expect(text.length, text).to.be.lessThan('it is [REDACTED:KEY] here'.length + 8);
    }
  });

  it('finds known values in base64 in JSON, wrapped or not', () => {
    const { value } = known;
    const encoded = Buffer.from(`#${value}${'#'.repeat(40)}`).toString('base64');
    const rules = (text: string) => redactor.redact(JSON.stringify({ text })).findings.map(({ rule }) => rule);
    expect(rules(encoded)).to.deep.equal(['KEY']);
    const lines = encoded.replaceAll(/.{8}/g, '$&\n');
    expect(redactor.redact(lines).findings).to.have.length(1);
    expect(rules(lines)).to.deep.equal(['KEY']);
  });

  it('finds known values in wrapped base64 with any line length', () => {
    const value = 'a long enough value: 0123456789';
    const wrapped = createRedactor([], { known: [{ label: 'KEY', value }] });
    const digits = (text: string) => text.replace(/\s/g, '').length;
    for (const columns of [64, 76]) {
      for (const end of ['\n', '\r\n', '\n    ']) {
        for (let before = 0; before < 90; before++) {
          const encoded = Buffer.from(`${'#'.repeat(before)}${value}${'#'.repeat(40)}`).toString('base64');
          const lines = encoded.replaceAll(new RegExp(`.{${columns}}`, 'g'), (line) => line + end);
          const { text, findings } = wrapped.redact(lines);
          expect(findings, lines).to.have.length(1);
          const { start, end: to } = findings[0]!;
          expect(digits(lines.slice(0, start)), lines).to.equal(Math.floor((8 * before) / 6));
          expect(digits(lines.slice(0, to)), lines).to.equal(Math.ceil((8 * (before + value.length)) / 6));
          expect(text).to.equal(`${lines.slice(0, start)}[REDACTED:KEY]${lines.slice(to)}`);
        }
      }
    }
  });

  it('names overlapping secrets once, after the first rule', () => {
    const two = createRedactor([
      { id: 'special', pattern: /\bspecial-[a-z]{6}/ },
      { id: 'general', pattern: /secret=(\S{4,40})/ },
    ]);
    expect(two.redact('secret=ab.special-abcdef.cd ')).to.deep.equal({
      text: 'secret=[REDACTED:special] ',
      findings: [{ rule: 'special', confidence: 'format', start: 7, end: 27 }],
    });
  });

  it('supports all modes', () => {
    const rules = [{ id: 'id', pattern: /\bid-[a-zA-Z0-9]{4}\b/ }];
    const text = 'id-Ab12 id-cd34 id-Ab12';
    const shown = (options: object) => createRedactor(rules, options).redact(text).text;
    expect(shown({})).to.equal('[REDACTED:id] [REDACTED:id] [REDACTED:id]');
    expect(shown({ mode: 'numbered' })).to.equal('[REDACTED:id#1] [REDACTED:id#2] [REDACTED:id#1]');
    expect(shown({ mode: 'mask' })).to.equal('******* ******* *******');
    const hashed = shown({ mode: 'hash', key: 'k' });
    expect(hashed).to.match(/^(\[REDACTED:id:[0-9a-f]{12}\]) \[REDACTED:id:[0-9a-f]{12}\] \1$/);
    expect(shown({ mode: 'hash', key: 'other' })).not.to.equal(hashed);
    const kept = shown({ mode: 'format', key: 'k' });
    expect(kept).to.match(/^([a-z]{2}-[A-Z][a-z]\d\d) [a-z]{2}-[a-z]{2}\d\d \1$/);
    expect(kept).not.to.include('Ab12');
    const values: string[] = [];
    const vault = {
      tokenFor: (value: string) => `<${values.includes(value) ? values.indexOf(value) : values.push(value) - 1}>`,
      valueOf: (token: string) => values[Number(/^<(\d+)>$/.exec(token)?.[1] ?? -1)],
    };
    expect(shown({ mode: 'token', vault })).to.equal('<0> <1> <0>');
    for (const mode of ['hash', 'format', 'token', 'none']) expect(() => shown({ mode })).to.throw(/redactor/);
  });

  it('counts keywords before a match, not after it', () => {
    const gated = createRedactor([{ id: 'g', pattern: /\b[a-f0-9]{12}\b/, keywords: ['Vault'] }]);
    expect(gated.redact('deadbeef0123 VAULT deadbeef0123').text).to.equal('deadbeef0123 VAULT [REDACTED:g]');
  });

  it('applies allowances to the secret, the match and the line', () => {
    const of = (allow: object[]) => createRedactor([{ id: 'a', pattern: /key=(\w{4,})/, allow }]);
    expect(of([{ pattern: '(?i)^TEST' }]).redact('key=testing ').findings).to.have.length(0);
    expect(of([{ pattern: /^key/ }]).redact('key=testing ').findings).to.have.length(1);
    expect(of([{ pattern: /^key/, target: 'match' }]).redact('key=testing ').findings).to.have.length(0);
    expect(of([{ pattern: /^# /, target: 'line' }]).redact('# a key=testing \nkey=testing ').findings).to.have.length(
      1,
    );
    expect(of([{ stopWords: ['EST'] }]).redact('key=testing ').findings).to.have.length(0);
    expect(of([{ stopWords: ['est'], pattern: 'zzz' }]).redact('key=testing ').findings).to.have.length(1);
  });

  it('requires the configured entropy', () => {
    const random = createRedactor([{ id: 'e', pattern: /key=(\w{8,})/, entropy: 2 }]);
    expect(random.redact('key=aaaabbbb key=abcdefgh ').text).to.equal('key=aaaabbbb key=[REDACTED:e] ');
  });

  it('finds the secret in a match that is not a secret as a whole', () => {
    const stopped = createRedactor([{ id: 's', pattern: /k=([a-z=]{4,40}) /, allow: [{ stopWords: ['stop'] }] }]);
    expect(stopped.redact('k=stopk=abcdefgh ').text).to.equal('k=stopk=[REDACTED:s] ');
  });

  it('treats a check that throws as a finding and hides the error', () => {
    const strict = createRedactor([
      {
        id: 'a',
        pattern: /key=(\w{4,})/,
        check: (secret) => {
          throw new Error(secret);
        },
      },
    ]);
    expect(strict.redact('key=testing ').text).to.equal('key=[REDACTED:a] ');
  });
});

/** Encodes like a JSON writer that uses only ASCII. */
function ascii(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function entities(text: string, base: number): string {
  const mark = base === 16 ? '#x' : '#';
  return Array.from(text, (letter) =>
    /\w/.test(letter) ? letter : `&${mark}${letter.codePointAt(0)!.toString(base).toUpperCase()};`,
  ).join('');
}
