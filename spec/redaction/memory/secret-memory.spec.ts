import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { createRedactor, createSecretMemory, rulesNamed } from '../../../lib/redaction/index.ts';
import type { KnownSecrets } from '../../../lib/redaction/memory/secret-memory.ts';
import { chunksOf, randomSizes } from '../random/random-text.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 5_000 : 60;
const V = 'k3j9X2m8'.concat('Q5w7z1v4b6');
const ODD = 'Pä3"x&7 '.concat('qZ9/é!kW');
const redactor = createRedactor(rulesNamed());
const SAID = `DB_PASSWORD=${V}\n`;
const bytes = (value: string, encoding: 'utf8' | 'utf16le' = 'utf8') => Buffer.from(value, encoding);
const octal = (value: string) => [...bytes(value)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
const hex = (value: string, before: string) =>
  [...bytes(value)].map((byte) => before + byte.toString(16).padStart(2, '0')).join('');

/** A value in the encodings of programs. */
const encodings: Readonly<Record<string, (value: string) => string>> = {
  bare: (value) => value,
  hex: (value) => hex(value, ''),
  'capital hex': (value) => hex(value, '').toUpperCase(),
  'hex escapes': (value) => hex(value, '\\x'),
  'percent-encoded bytes': (value) => hex(value, '%'),
  'hex with colons': (value) => hex(value, ':').slice(1),
  base64: (value) => bytes(`user:${value}`).toString('base64'),
  'base64 of UTF-16': (value) => bytes(value, 'utf16le').toString('base64'),
  'base64 of JSON': (value) => bytes(JSON.stringify({ a: value })).toString('base64'),
  'HTML entities': (value) =>
    value.replace(
      /[&"<>äé]/g,
      (letter) => `&${{ '&': 'amp', '"': 'quot', '<': 'lt', '>': 'gt', ä: 'auml', é: 'eacute' }[letter]};`,
    ),
  octal: (value) => octal(value),
  'shell escapes': (value) => value.replace(/[^A-Za-z0-9äé]/g, (letter) => `\\${letter}`),
  'zero-width characters': (value) => value.split('').join('\u200b'),
  'a wrapped line': (value) => `${value.slice(0, 9)}\n${value.slice(9)}`,
  'decomposed letters': (value) => value.normalize('NFD'),
  'JSON in JSON': (value) => JSON.stringify(JSON.stringify(value)),
};

describe('a memory of secrets', () => {
  it('finds a stored value again without context, also in other texts', () => {
    const memory = createSecretMemory();
    expect(redactor.redact(`${V} ${SAID}then ${V}.`, { memory }).text).to.equal(
      `${V} DB_PASSWORD=[REDACTED:env-password]\nthen [REDACTED:env-password].`,
    );
    const { text, findings } = redactor.redact(`again ${V}!`, { memory });
    expect(text).to.equal('again [REDACTED:env-password]!');
    expect(findings).to.deep.equal([{ rule: 'env-password', confidence: 'format', start: 6, end: 6 + V.length }]);
    expect(redactor.redact(`again ${V}!`).findings).to.deep.equal([]);
  });

  for (const [how, encode] of Object.entries(encodings)) {
    it(`finds stored and configured values: ${how}`, () => {
      for (const value of [V, ODD]) {
        const known = createRedactor([], { known: [{ label: 'k', value }] });
        const { text, findings } = known.redact(`x ${encode(value)} y`);
        expect(findings, text).to.have.length(1);
        expect(text).to.match(/^x \S*(?:"|\\|\[REDACTED:k\])/);
      }
      const memory = createSecretMemory();
      redactor.redact(SAID, { memory });
      expect(redactor.redact(`x ${encode(V)} y`, { memory }).findings).to.have.length.of.at.least(1);
    });
  }

  it('ignores guesses, short values, low entropy, and values beyond its capacity', () => {
    const memory = createSecretMemory({ most: 2 });
    redactor.redact('password: sunflower88garden\n', { memory });
    memory.add('short', 'x');
    memory.add('abababababababab', 'x');
    expect(memory.size).to.equal(0);
    for (const last of 'abcd') memory.add(V + last, 'x');
    expect(memory.size).to.equal(2);
  });

  it('does not expose its values', () => {
    const memory = createSecretMemory();
    redactor.redact(SAID, { memory });
    expect(memory.size).to.equal(1);
    expect(JSON.stringify(memory)).not.to.include(V);
  });

  it('releases the tables of all but the last used memories, and rebuilds them', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const memories = Array.from({ length: 34 }, () => createSecretMemory() as KnownSecrets);
    const tables = memories.map((memory) => {
      memory.add(V, 'password');
      return new WeakRef(memory.engine());
    });
    const last = memories.at(-1)!;
    last.add(`${V}1`, 'password');
    tables.push(new WeakRef(last.engine()));
    await setImmediate();
    collect();
    expect(tables.splice(33, 1)[0]?.deref(), 'the earlier tables of a memory with more values').to.equal(undefined);
    const kept = tables.filter((one) => one.deref());
    expect(kept).to.deep.equal(tables.slice(2));
    expect(redactor.redact(`again ${V}!`, { memory: memories[0]! }).text).to.equal('again [REDACTED:password]!');
    memories[0]!.add(`${V}0`, 'token');
    expect(redactor.redact(`${V}0 ${V}`, { memory: memories[0]! }).text).to.equal(
      '[REDACTED:password] [REDACTED:password]',
    );
  });

  it(`does not depend on how a stream is cut, ${RUNS} times`, function () {
    this.timeout(0);
    const W = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`;
    const pieces = [
      SAID,
      V,
      ` ${V}`,
      `token ${W} `,
      W,
      bytes(W).toString('base64'),
      hex(V, ''),
      'password: sunflower88\n',
      ' x',
      '\n',
      `${V.slice(0, 9)}`,
    ];
    const taken = new Set<number>();
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }).map((parts) => parts.join('')),
        randomSizes,
        fc.constantFrom([], ['guessed'] as const),
        (text, sizes, leave) => {
          const whole = redactor.redact(text, { leave, memory: createSecretMemory() });
          const stream = redactor.stream({ leave, memory: createSecretMemory() });
          const out =
            chunksOf(text, sizes)
              .map((chunk) => stream.write(chunk))
              .join('') + stream.end();
          expect(out).to.equal(whole.text);
          expect(stream.findings).to.deep.equal(whole.findings);
          const starts = whole.findings.map(({ start }) => start);
          expect(starts).to.deep.equal([...starts].sort((a, b) => a - b));
          taken.add(whole.findings.length);
        },
      ),
      { numRuns: RUNS },
    );
    expect(taken.size).to.be.greaterThan(4);
  });
});
