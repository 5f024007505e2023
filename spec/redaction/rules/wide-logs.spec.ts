import { expect } from 'chai';
import { createRedactor, ownRules } from '../../../lib/redaction/index.ts';
import { seeded } from '../example-of.ts';

const redactor = createRedactor(ownRules);
const random = seeded(12);
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const some = (length: number): string =>
  Array.from({ length }, () => BASE64[Math.floor(random() * BASE64.length)]).join('');
const DASHES = '-'.repeat(5);
const runs = [...Array.from({ length: 12 }, () => some(64)), `${some(30)}==`];
const begin = `${DASHES}BEGIN RSA PRIVATE KEY${DASHES}`;
const end = `${DASHES}END RSA PRIVATE KEY${DASHES}`;
const labels = '{"service":"web one","host":"ip-10-0-0-1.internal","labels":{"app":"b c","team":"d"}},';
const wide = (length: number): string => labels.repeat(100).slice(0, length);

/** Lines of a log with a prefix of this length. The second ends in text after the line; in the third, the time differs. */
const ways: Readonly<Record<string, (length: number) => (line: string, index: number) => string>> = {
  'as it is': (length) => (line) => `${wide(length)} ${line}`,
  'in JSON': (length) => (line) => `${wide(length)},"message":"${line}","level":"info"}`,
  'with a time': (length) => (line, index) => `2026-01-31T12:00:${10 + index}Z ${wide(length)} 12${index % 10} ${line}`,
};

function inPieces(text: string, size: number): string {
  const stream = redactor.stream();
  let shown = '';
  for (let at = 0; at < text.length; at += size) shown += stream.write(text.slice(at, at + size));
  return shown + stream.end();
}

describe('a private key in a wide log', () => {
  for (const [name, way] of Object.entries(ways)) {
    for (const length of [330, 600, 2_000, 6_000]) {
      it(`is redacted if its lines share ${length} characters: ${name}`, () => {
        for (const last of [[end], []]) {
          const text = `see\n${[begin, ...runs, ...last].map(way(length)).join('\n')}\nand so on`;
          const { text: shown } = redactor.redact(text);
          for (const run of runs) expect(shown).to.not.include(run.slice(24));
          expect(shown)
            .to.match(/^see\n/)
            .and.to.match(/\nand so on$/);
          for (const size of [7, 1_000]) expect(inPieces(text, size)).to.equal(shown);
        }
      });
    }
  }

  it('excludes text that does not share the prefix', () => {
    const paragraph = 'The key is read from the file that you name, and is never written to a log. '.repeat(12);
    const other = `${paragraph}${some(64)}`;
    for (const text of [
      `${paragraph}"${begin}"\n${other}\n${other}\n`,
      `${wide(400)}"${begin}"\n${other}\n${wide(400)}: ${paragraph}\n`,
      `${begin}\n${paragraph}\n${other}\n`,
    ]) {
      const { text: shown } = redactor.redact(text);
      expect(shown).to.include(other);
      expect(shown.length).to.be.greaterThan(text.length - 60);
    }
  });

  it('is not waited for without end', () => {
    const stream = redactor.stream();
    const text = `${wide(400)} ${begin}`;
    let held = text.length - stream.write(text).length;
    let most = 0;
    for (let count = 0; count < 5_000; count++) {
      held += 10 - stream.write('some words').length;
      most = Math.max(most, held);
    }
    expect(most).to.be.at.most(8_192 + 64);
    stream.end();
  });
});
