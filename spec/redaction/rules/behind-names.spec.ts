import { expect } from 'chai';
import { createRedactor, ownRules } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(ownRules.filter(({ category }) => category === 'personal'));
const numbers: Readonly<Record<string, string>> = {
  card: '4111'.padEnd(16, '1'),
  'card in groups': ['4111', ...Array.from({ length: 3 }, () => '1111')].join(' '),
  IBAN: ['DE02', '1203', '0000', '0000', '2020', '51'].join(''),
  SSN: ['536', '22', '8726'].join('-'),
  'international phone': ['+49', '30', '901820'].join(' '),
  'phone in one piece': ['+49', '30901820'].join(''),
  'US phone': ['415', '555', '2671'].join('-'),
};

describe('a personal number', () => {
  for (const [name, number] of Object.entries(numbers)) {
    it(`is found after an identifier: ${name}`, () => {
      for (const before of ['x_', 'user_', 'id-of_', 'a.b_', 'value=', '("', ': '])
        expect(redactor.redact(`so ${before}${number} on`).text, before).to.not.include(number);
    });
  }
});
