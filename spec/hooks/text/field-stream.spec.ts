import { expect } from 'chai';
import fc from 'fast-check';
import { fieldStream, redactField } from '../../../lib/hooks/text/field-stream.ts';
import { usualRedactor } from '../../../lib/hooks/usual-redactor.ts';
import { createRedactor } from '../../../lib/redaction/create-redactor.ts';
import { createSecretMemory } from '../../../lib/redaction/memory/secret-memory.ts';
import { rulesNamed } from '../../../lib/redaction/rules/rules-named.ts';

const token = `ghp_${'aB3'.repeat(12)}`;
const piece = fc.constantFrom(
  token,
  'hunter2hunter2',
  'Xk29fQ7mZpLw83vN',
  'password=',
  '"',
  '\\',
  ' ',
  'a',
  '[REDACTED:',
);
const key = fc.oneof(
  fc.constantFrom(undefined, '', 'password', 'apiKey', 'path', token, `a ${token}`, '"'),
  fc.string(),
);

describe('redactField', () => {
  // Its value begins in the name of the field.
  const withPair = createRedactor(rulesNamed(), { known: [{ label: 'pair', value: 'th": "hunter2hunter2' }] });

  it('returns what fieldStream returns in parts, with the same findings and known values', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(usualRedactor(), withPair),
        key,
        fc.array(piece, { maxLength: 6 }),
        fc.constantFrom([], ['assigned'], ['format']),
        (redactor, name, parts, leave) => {
          const streamed = { leave, memory: createSecretMemory() } as never;
          const whole = { leave, memory: createSecretMemory() } as never;
          const stream = fieldStream(redactor, name, streamed);
          const text = parts.map((part) => stream.write(part)).join('') + stream.end();
          const found = redactField(redactor, name, parts.join(''), whole);
          expect(found.text).to.equal(text);
          expect(found.findings).to.deep.equal(stream.findings);
          const later = (options: never) => redactor.redact(parts.join(' '), options).text;
          expect(later(whole)).to.equal(later(streamed));
        },
      ),
      { numRuns: 400, examples: [[withPair, 'path', ['hunter2hunter2'], []]] },
    ));
});
