import { expect } from 'chai';
import { createRedactor, ownRules, type RedactorOptions } from '../../../lib/redaction/index.ts';

const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEabcdef\nghijkl\n';

describe('a swallowed secret', () => {
  for (const mode of ['marker', 'numbered', 'mask', 'hash', 'format', 'token'] as const) {
    it(`gets a plain marker in mode ${mode}, because its value is unknown`, () => {
      const stored: string[] = [];
      const vault = {
        tokenFor: (value: string) => {
          stored.push(value);
          return 'T';
        },
        valueOf: () => undefined,
      };
      const options: RedactorOptions = { mode, key: 'k', ...(mode === 'token' && { vault }) };
      const redactor = createRedactor(ownRules, options);
      expect(redactor.redact(key).text).to.equal('[REDACTED:private-key]');
      const stream = redactor.stream();
      const shown = [...key].map((character) => stream.write(character)).join('') + stream.end();
      expect(shown).to.equal('[REDACTED:private-key]');
      expect(stored).to.deep.equal([]);
    });
  }
});
