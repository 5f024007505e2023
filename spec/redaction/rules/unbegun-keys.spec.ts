import { expect } from 'chai';
import fc from 'fast-check';
import { createRedactor, ownRules } from '../../../lib/redaction/index.ts';
import { seeded } from '../example-of.ts';

const redactor = createRedactor(ownRules);
const random = seeded(30);
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const URL_SAFE = `${BASE64.slice(0, -2)}-_`;
const some = (length: number, letters = BASE64): string =>
  Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
const linesOf = (count: number, width: number): readonly string[] => Array.from({ length: count }, () => some(width));
const DASHES = '-'.repeat(5);
const ENDS = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'].map((kind) => `${DASHES}END ${kind}${DASHES}`);

/** Returns the output of a stream for the text in chunks. */
function inPieces(text: string, size: number): string {
  const stream = redactor.stream();
  let shown = '';
  for (let at = 0; at < text.length; at += size) shown += stream.write(text.slice(at, at + size));
  return shown + stream.end();
}

/** The number of characters of the first line that are released. */
const SHOWN = 16;
const isGone = (shown: string, line: string): boolean => !shown.includes(line.slice(SHOWN));

/** Text that programs add before the lines of a file. */
const ways: Readonly<Record<string, (lines: readonly string[]) => string>> = {
  unchanged: (lines) => lines.join('\n'),
  'with carriage returns': (lines) => lines.join('\r\n'),
  'in a JSON string': (lines) => JSON.stringify({ file: `${lines.join('\n')}\n` }),
  'in an indented block': (lines) => lines.map((line) => `    ${line}`).join('\n'),
  'in a quotation': (lines) => lines.map((line) => `> ${line}`).join('\n'),
  'in a diff': (lines) => lines.map((line) => `+${line}`).join('\n'),
  'by cat -n': (lines) => lines.map((line, index) => `${String(index + 7).padStart(6)}\t${line}`).join('\n'),
  'by grep -n': (lines) => lines.map((line, index) => `${index + 7}:${line}`).join('\n'),
  'behind two words': (lines) => lines.map((line) => `a a ${line}`).join('\n'),
  'in a container log': (lines) => lines.map((line) => `web-1  | ${line}`).join('\n'),
  'in a journal': (lines) => lines.map((line, index) => `Jan 31 12:34:${index} host app[1]: ${line}`).join('\n'),
  'with timestamps': (lines) => lines.map((line) => `2026-01-31T12:34:56.789Z INFO ${line}`).join('\n'),
};

describe('a private key without its first line', () => {
  for (const [name, way] of Object.entries(ways)) {
    it(`is redacted up to its last line: ${name}`, () => {
      for (const end of ENDS) {
        for (const [count, width] of [
          [1, 64],
          [24, 64],
          [50, 64],
          [12, 76],
          [40, 24],
        ] as const) {
          const lines = [...linesOf(count, width), `${some(21)}==`];
          const text = `see\n${way([...lines, end])}\nand so on`;
          const { text: shown } = redactor.redact(text);
          for (const line of lines) expect(isGone(shown, line), `${end} ${count} ${width}\n${shown}`).to.equal(true);
          expect(shown)
            .to.match(/^see\n/)
            .and.to.match(/\nand so on$/);
          for (const size of [1, 7, 100]) expect(inPieces(text, size)).to.equal(shown);
        }
      }
    });
  }

  it('is redacted if only the end of a PuTTY or SSH2 key remains', () => {
    for (const end of [`Private-MAC: ${some(64, '0123456789abcdef')}`, '---- END SSH2 ENCRYPTED PRIVATE KEY ----']) {
      const lines = linesOf(6, 64);
      const { text: shown } = redactor.redact(`x\n${[...lines, end].join('\n')}\n`);
      for (const line of lines) expect(isGone(shown, line), shown).to.equal(true);
    }
  });

  it('is redacted at any length if its format has a header, also in OpenPGP', () => {
    for (const head of [`lQOYB${'F'}`, `lQHYB${'E'}`, 'lFgEX']) {
      const lines = [`${head}${some(64 - head.length)}`, ...linesOf(200, 64)];
      const { text: shown } = redactor.redact(`x\n${lines.join('\n')}\n`);
      for (const line of lines.slice(1)) expect(shown.includes(line), head).to.equal(false);
    }
  });

  it('is redacted behind a short prefix if its format has a header', () => {
    const lines = [`MIIEvQIBADANBgkqhkiG9w0BAQEFAA${some(34)}`, ...linesOf(9, 64), some(40)];
    const { text: shown } = redactor.redact(`x\n${lines.map((line) => `a a ${line}`).join('\n')}\nb b so on it goes\n`);
    for (const line of lines) expect(shown).to.not.include(line.slice(30));
    expect(shown).to.match(/b b so on it goes\n$/);
  });

  it('excludes certificates, public keys, pictures and lists of hashes', () => {
    const blocks = [
      ...['CERTIFICATE', 'PUBLIC KEY', 'CERTIFICATE REQUEST', 'PGP PUBLIC KEY BLOCK', 'PGP MESSAGE'].flatMap((kind) => [
        [`${DASHES}BEGIN ${kind}${DASHES}`, ...linesOf(20, 64), `${DASHES}END ${kind}${DASHES}`],
        [...linesOf(20, 64), `${DASHES}END ${kind}${DASHES}`],
      ]),
      ['Content-Transfer-Encoding: base64', '', ...linesOf(300, 76), '--boundary--'],
      Array.from({ length: 80 }, () => some(64, '0123456789abcdef')),
      Array.from({ length: 80 }, () => `sha512-${some(86)}==`),
    ];
    for (const block of blocks) {
      const text = `${block.join('\n')}\n\n${DASHES}BEGIN PUBLIC KEY${DASHES}\n`;
      expect(redactor.redact(text).findings, block[0]).to.deep.equal([]);
    }
  });

  it('excludes the certificate before it', () => {
    const certificate = [`${DASHES}BEGIN CERTIFICATE${DASHES}`, ...linesOf(9, 64), `${DASHES}END CERTIFICATE${DASHES}`];
    const text = [...certificate, ...linesOf(9, 64), ENDS[0]].join('\n');
    expect(redactor.redact(text).text.startsWith(certificate.join('\n'))).to.equal(true);
  });

  it('holds back a limited part of a picture', () => {
    const stream = redactor.stream();
    let written = 0;
    let given = 0;
    let most = 0;
    for (let count = 0; count < 500; count++) {
      const line = `${some(76)}\r\n`;
      written += line.length;
      given += stream.write(line).length;
      most = Math.max(most, written - given);
    }
    expect(most).to.be.at.most(8_192 + 2 * 78);
    expect(given + stream.end().length).to.equal(written);
  });
});

describe('a private key with folded first and last lines', () => {
  const key = [`${DASHES}BEGIN RSA PRIVATE KEY${DASHES}`, ...linesOf(6, 64), `${DASHES}END RSA PRIVATE KEY${DASHES}`];

  for (const width of [10, 12, 16, 20, 24, 30]) {
    it(`is redacted from first to last line at ${width} columns`, () => {
      const folded = key.flatMap((line) => line.match(new RegExp(`.{1,${width}}`, 'g')) as string[]);
      for (const way of [ways['unchanged'], ways['in a JSON string'], ways['in a quotation']] as const) {
        const text = `see\n${way?.(folded)}\nand so on`;
        const { text: shown } = redactor.redact(text);
        for (const line of folded.slice(4, -4)) expect(shown, shown).to.not.include(line);
        expect(shown).to.match(/\nand so on$/);
        for (const size of [1, 5, 64]) expect(inPieces(text, size)).to.equal(shown);
      }
    });
  }
});

describe('a private JSON Web Key', () => {
  const make = (): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
    RSA: {
      kty: 'RSA',
      n: some(342, URL_SAFE),
      e: 'AQAB',
      ...Object.fromEntries(['d', 'p', 'q', 'dp', 'dq', 'qi'].map((name) => [name, some(171, URL_SAFE)])),
    },
    EC: { kty: 'EC', crv: 'P-256', x: some(43, URL_SAFE), y: some(43, URL_SAFE), d: some(43, URL_SAFE), ext: true },
    OKP: { kty: 'OKP', crv: 'Ed25519', x: some(43, URL_SAFE), d: some(43, URL_SAFE), key_ops: ['sign', 'verify'] },
    oct: { kty: 'oct', alg: 'HS256', k: some(43, URL_SAFE), kid: 'one' },
  });
  const SECRET = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];

  it('loses all of its private fields, in any order', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('RSA', 'EC', 'OKP', 'oct').chain((type) => {
          const members = Object.entries(make()[type] as object);
          return fc.shuffledSubarray(members, { minLength: members.length });
        }),
        fc.constantFrom(0, 2),
        fc.boolean(),
        (members, indent, escaped) => {
          const json = JSON.stringify({ keys: [Object.fromEntries(members)] }, null, indent);
          const text = escaped ? JSON.stringify(json) : json;
          const { text: shown } = redactor.redact(text);
          for (const [name, value] of members.filter((one) => typeof one[1] === 'string'))
            expect(shown.includes(String(value)), `${name} in ${shown}`).to.equal(!SECRET.includes(name));
          expect(inPieces(text, 9)).to.equal(shown);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('excludes other objects with a field of that name', () => {
    const text = JSON.stringify({ d: some(43, URL_SAFE), type: 'x' });
    expect(redactor.redact(text).findings).to.deep.equal([]);
  });
});
