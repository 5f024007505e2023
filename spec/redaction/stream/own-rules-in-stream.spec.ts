import { expect } from 'chai';
import { createRedactor } from '../../../lib/redaction/create-redactor.ts';
import type { Finding } from '../../../lib/redaction/redactor.ts';
import { ownRules } from '../../../lib/redaction/rules/own-rules.ts';
import { exampleOf, seeded } from '../example-of.ts';

const EXAMPLES = process.env['HOOKLINE_SOAK'] ? 50 : 1;

/** Returns whether findings cover all of `start` to `end`. */
function covers(findings: readonly Finding[], start: number, end: number): boolean {
  let shown = start;
  for (const finding of findings) if (finding.start <= shown) shown = Math.max(shown, finding.end);
  return shown >= end;
}

describe('a built-in rule in a stream', () => {
  it('holds', () => {
    const before = performance.now();
    expect(() => createRedactor(ownRules)).not.to.throw();
    console.log(`      ${ownRules.length} rules compiled in ${Math.round(performance.now() - before)} ms`);
  });

  it('redacts its shape, alone and among all others', function () {
    // Each rule is compiled separately, which takes long on a busy processor.
    this.timeout(0);
    const all = createRedactor(ownRules);
    const random = seeded(16);
    let made = 0;
    for (const rule of ownRules) {
      const alone = createRedactor([rule]);
      for (let i = 0; i < EXAMPLES; i += 1) {
        const { text, secret } = exampleOf(rule, random);
        const said = `It says ${text}`;
        const written = `${said}\nand goes on.`;
        // The last group of a swallowed secret is its last character, which may be a newline.
        const start = rule.swallow ? said.lastIndexOf(secret) : written.indexOf(secret, 'It says '.length);
        for (const redactor of [alone, all]) {
          const { findings } = redactor.redact(written);
          expect(covers(findings, start, start + secret.length), `${rule.id}: ${written}`).to.equal(true);
        }
        made += 1;
      }
    }
    console.log(`      all of ${made} examples`);
  });

  it('does so in any chunks', () => {
    const all = createRedactor(ownRules);
    const random = seeded(17);
    for (const rule of ownRules) {
      const { text } = exampleOf(rule, random);
      const written = `It says ${text}\nand goes on.`;
      const whole = all.redact(written).text;
      const stream = all.stream();
      let shown = '';
      for (let at = 0; at < written.length; ) {
        const size = 1 + Math.floor(random() * 7);
        shown += stream.write(written.slice(at, at + size));
        at += size;
      }
      expect(shown + stream.end(), rule.id).to.equal(whole);
    }
  });

  it('names the format in markers, not the assignment around it', () => {
    const all = createRedactor(ownRules);
    const token = 'ghp_'.concat('k3j9x2m8q5w7z1v4b6n0c8d2f4g6h1J3K5L7');
    expect(all.redact(`GITHUB_TOKEN=${token}`).text).to.equal('GITHUB_TOKEN=[REDACTED:github-pat]');
    expect(all.redact(`{"password": "${token}"}`).text).to.equal('{"password": "[REDACTED:github-pat]"}');
  });

  it('redacts a complete or partial private key in a string or a diff, and no certificate', () => {
    const all = createRedactor(ownRules);
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(2);
    for (const kind of ['', 'RSA ', 'OPENSSH ', 'ENCRYPTED ']) {
      for (const lineBreak of ['\n', '\r\n', '\\n', '\n    ', '\n+', '\n> ']) {
        for (const end of ['', `${lineBreak}-----END ${kind}PRIVATE KEY-----`]) {
          const key = [`-----BEGIN ${kind}PRIVATE KEY-----`, line, line].join(lineBreak) + end;
          expect(all.redact(`key: ${key}; so`).text, JSON.stringify(key)).to.equal('key: [REDACTED:private-key]; so');
        }
      }
    }
    const shown = 'MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkq'.repeat(2);
    const certificate = `-----BEGIN CERTIFICATE-----\n${shown}\n${shown}\n-----END CERTIFICATE-----`;
    expect(all.redact(certificate).text).to.equal(certificate);
  });

  it('redacts only the password of a URL', () => {
    const password = 'hunter'.concat('2');
    const url = `postgres://ada:${password}@db.host.org:5432/app`;
    expect(createRedactor(ownRules).redact(url).text).to.equal(url.replace(password, '[REDACTED:url-password]'));
  });

  it('leaves redacted text unchanged', () => {
    const all = createRedactor(ownRules);
    const once = all.redact(
      'password: "hunter'.concat('2", api_key=Hq7vT2mZ9, me@host.org, Bearer ', 'k3j9X2m8Q5w7z1v4b6'),
    ).text;
    expect(once).to.equal(
      'password: "[REDACTED:password]", api_key=[REDACTED:unquoted-secret], [REDACTED:email], Bearer [REDACTED:bearer-token]',
    );
    expect(all.redact(once).text).to.equal(once);
  });
});
