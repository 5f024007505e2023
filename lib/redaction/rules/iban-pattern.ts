import { afterEscape } from './after-escape.ts';

/** Countries by the length of their IBAN. */
const COUNTRIES: Readonly<Record<number, string>> = {
  15: 'NO',
  16: 'BE',
  18: 'DK|FI|FO|GL|NL',
  19: 'MK|SI',
  20: 'AT|BA|EE|KZ|LT|LU|XK',
  21: 'CH|HR|LI|LV',
  22: 'BG|BH|CR|DE|GB|GE|IE|ME|RS',
  23: 'AE|GI|IL|IQ|TL',
  24: 'AD|CZ|ES|MD|PK|RO|SA|SE|SK|TN|VG',
  25: 'LY|PT|ST',
  26: 'IS|TR',
  27: 'BI|FR|GR|IT|MC|MR|SM',
  28: 'AL|AZ|BY|CY|DO|GT|HU|LB|NI|PL|SV',
  29: 'BR|EG|PS|QA|UA',
  30: 'JO|KW|MU',
  31: 'MT|SC',
  32: 'LC',
};

/** Returns the pattern of the IBANs of all countries at their exact lengths, contiguous or in groups of four. */
export function ibanPattern(): RegExp {
  const shapes = Object.entries(COUNTRIES).map(([length, countries]) => {
    const groups = Math.floor((Number(length) - 4) / 4);
    const rest = (Number(length) - 4) % 4;
    return `(?:${countries})[0-9]{2}(?: ?[0-9A-Z]{4}){${groups}}${rest > 0 ? ` ?[0-9A-Z]{${rest}}` : ''}`;
  });
  return new RegExp(`(?:${afterEscape}|^|[^\\w]|_)(${shapes.join('|')})(?:[^\\w]|$)`);
}
