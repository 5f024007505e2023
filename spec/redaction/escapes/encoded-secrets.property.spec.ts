import { expect } from 'chai';
import fc from 'fast-check';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';
import { exampleOf, seeded } from '../example-of.ts';
import { chunksOf, randomSizes } from '../random/random-text.ts';
import { type Encoding, encodings } from './encodings.ts';

const SOAK = process.env['HOOKLINE_SOAK'] !== undefined;
/** The share of few secrets would differ from run to run. */
const RANDOM = SOAK ? { numRuns: 10_000 } : { numRuns: 150, seed: 1 };
/** The minimum share of secrets that are redacted in an encoding, of those redacted without. */
const LEAST_GONE = 0.98;
/** The last characters of a secret, none of which may remain. */
const TAIL = 8;
const rules = rulesNamed().filter(({ swallow }) => !swallow);
const redactor = createRedactor(rulesNamed());

/** Returns an encoded text with a secret that is redacted in the original text. */
function encoded({ encode, decode }: Encoding, seed: number): { text: string; secret: string } | undefined {
  const random = seeded(seed);
  const { text, secret } = exampleOf(rules[Math.floor(random() * rules.length)]!, random);
  const plain = `so ${text} on\n`;
  const isReady = secret.length >= TAIL && !redactor.redact(plain).text.includes(secret);
  return isReady && decode(encode(plain)) === plain ? { text: encode(plain), secret } : undefined;
}

describe('a secret in escapes', () => {
  for (const [name, encoding] of Object.entries(encodings)) {
    it(`is redacted as without escapes, in any chunks: ${name}`, function () {
      this.timeout(0);
      let all = 0;
      const left: string[] = [];
      fc.assert(
        fc.property(fc.nat(), randomSizes, (seed, sizes) => {
          const made = encoded(encoding, seed);
          if (!made) return;
          const whole = redactor.redact(made.text);
          const stream = redactor.stream();
          const parts = chunksOf(made.text, sizes).map((chunk) => stream.write(chunk));
          expect(parts.join('') + stream.end()).to.equal(whole.text);
          expect(stream.findings).to.deep.equal(whole.findings);
          all += 1;
          if (encoding.decode(whole.text).includes(made.secret.slice(-TAIL))) left.push(made.text);
        }),
        { ...RANDOM, endOnFailure: true },
      );
      expect(all).to.be.at.least(0.8 * RANDOM.numRuns);
      expect(1 - left.length / all, left.join('\n')).to.be.at.least(LEAST_GONE);
    });
  }
});
