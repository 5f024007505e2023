import { expect } from 'chai';
import fc from 'fast-check';
import { createRedactor, ownRules } from '../../../lib/redaction/index.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 100 : 6;
const redactor = createRedactor(ownRules);
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Text that programs, people and formats add before and after the lines of a file. */
const ways: Readonly<Record<string, (line: string, index: number) => string>> = {
  unchanged: (line) => line,
  'by cat -n': (line, index) => `${String(index + 1).padStart(6)}\t${line}`,
  'by grep -n': (line, index) => `${index + 1}:${line}`,
  'by grep -n in files': (line, index) => `keys/id_rsa.pem:${index + 1}:${line}`,
  'with timestamps': (line) => `2026-01-31T12:34:56.789Z INFO ${line}`,
  'in a container log': (line) => `web-1  | ${line}`,
  'in a journal': (line) => `Jan 31 12:34:56 host app[123]: ${line}`,
  'in color': (line) => `\x1b[32m${line}\x1b[0m`,
  'with trailing spaces': (line) => `${line}   `,
  'joined by plus': (line) => `  "${line}\\n" +`,
  'joined by dots': (line) => `'${line}' .`,
  'in HTML': (line) => `${line}<br>`,
  'in CSV': (line) => `"${line}",`,
  'in YAML': (line) => `  ${line}\\`,
  'in a comment': (line) => ` * ${line}`,
  'in a diff': (line) => `+${line}`,
};
const breaks = ['\n', '\r\n', '\\n'];

const body = fc.array(fc.integer({ min: 0, max: 63 }), { minLength: 200, maxLength: 700 }).map(
  (digits) =>
    digits
      .map((digit) => DIGITS[digit])
      .join('')
      .match(/.{1,64}/g) ?? [],
);
const kind = fc.constantFrom('', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ');

describe('a private key', () => {
  for (const [name, way] of Object.entries(ways)) {
    for (const lineBreak of breaks) {
      it(`is redacted from first to last line: ${name}, lines end with ${JSON.stringify(lineBreak)}`, () => {
        fc.assert(
          fc.property(kind, body, fc.boolean(), fc.integer({ min: 1, max: 40 }), (which, runs, cut, size) => {
            // The last run of a truncated key is a whole line: a shorter one could be a word of the following text.
            const kept = cut ? runs.filter((run) => run.length === 64) : runs;
            const last = cut ? [] : [`-----END ${which}PRIVATE KEY-----`];
            const lines = [`-----BEGIN ${which}PRIVATE KEY-----`, ...kept, ...last].map(way);
            const text = `see: ${lines.join(lineBreak)}${cut ? '' : lineBreak}. And so on, it says.`;
            const stream = redactor.stream();
            let shown = '';
            for (let at = 0; at < text.length; at += size) shown += stream.write(text.slice(at, at + size));
            shown += stream.end();
            const { findings } = redactor.redact(text);
            for (const run of kept) {
              const start = text.indexOf(run, text.indexOf('KEY-----'));
              expect(findings.some((found) => found.start <= start && found.end >= start + run.length)).to.equal(true);
            }
            expect(shown).to.include('. And so on, it says.');
            expect(shown).to.equal(redactor.redact(text).text);
          }),
          { numRuns: RUNS },
        );
      });
    }
  }

  it('excludes the text after its last line', () => {
    const line = DIGITS.repeat(1);
    const key = ['-----BEGIN PRIVATE KEY-----', line, line, '-----END PRIVATE KEY-----'].join('\n');
    const certificate = `-----BEGIN CERTIFICATE-----\n${line}\n-----END CERTIFICATE-----`;
    expect(redactor.redact(`${key}\n${certificate}\n`).text).to.equal(`[REDACTED:private-key]\n${certificate}\n`);
  });

  it('is also found in base64', () => {
    const line = DIGITS.repeat(2);
    for (const which of ['', 'RSA ', 'EC ', 'OPENSSH ']) {
      const encoded = Buffer.from(`-----BEGIN ${which}PRIVATE KEY-----\n${line}\n`).toString('base64');
      expect(redactor.redact(`tls.key: ${encoded}\n`).text, which).to.equal(
        'tls.key: [REDACTED:private-key-in-base64]\n',
      );
    }
  });
});
