import { expect } from 'chai';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';

/** Numbers in the notation of a country; their last digits are invented. */
const numbers: Readonly<Record<string, readonly string[]>> = {
  gb: ['020 7946 0018', '07700 900123'],
  de: ['030 23125 012', '0151 23456789'],
  fr: ['01 99 00 12 34', '06-39-98-12-34'],
  at: ['0664 1234567', '01 5321234'],
  ch: ['044 668 18 00', '0791234567'],
  nl: ['06 12345678', '020 1234567', '06 12 34 56 78'],
  be: ['0470 12 34 56', '02 123 45 67'],
  es: ['612 345 678', '911 23 45 67', '612345678'],
  it: ['312 345 6789', '06 12345678'],
  pl: ['512 345 678'],
  se: ['070-123 45 67', '08-123 45 67'],
  in: ['98765 43210', '09876543210'],
  jp: ['090-1234-5678', '03-1234-5678'],
  kr: ['010-1234-5678', '02-123-4567'],
  au: ['0412 345 678', '(02) 5550 1234'],
  br: ['(11) 91234-5678', '11 1234-5678'],
};

describe('a national phone number', () => {
  const plain = createRedactor(rulesNamed());
  for (const [country, written] of Object.entries(numbers)) {
    it(`is found if the country is named: ${country}`, () => {
      const redactor = createRedactor(rulesNamed(['personal', `phone-${country}`]));
      for (const number of written) {
        expect(redactor.redact(`so ${number}, he said`).text).to.equal(`so [REDACTED:phone-${country}], he said`);
        expect(redactor.redact(`id 7${number.replace(/\D/g, '')}123456 x`).findings, number).to.deep.equal([]);
      }
    });
  }

  it('stays unchanged if no country is named', () => {
    for (const number of ['06 12345678', '044 668 18 00', '512 345 678', '03-1234-5678']) {
      expect(plain.redact(`so ${number}, he said`).findings, number).to.deep.equal([]);
    }
  });
});
