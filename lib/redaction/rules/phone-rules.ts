import { phoneNumber } from '../checks/personal/phone-number.ts';
import type { Rule } from '../compile/rule.ts';
import { afterEscape } from './after-escape.ts';

const START = `(?:^|[^\\w.+-]|_|${afterEscape})`;
const END = '(?:[^\\w-]|$)';
const WORDS = 'phone|telephone|mobile|cell|fax|\\btel\\b|telefon|handy|téléphone|teléfono|电话|手机|手机号|联系方式';

const regional = (region: string, description: string, number: string, byDefault: boolean): Rule => ({
  id: `phone-${region}`,
  description,
  pattern: new RegExp(`${START}(${number})${END}`),
  byDefault,
});

/** Phone numbers: international ones, national ones after a word for phone numbers, and those of a region in its usual notation. */
export const phoneRules: readonly Rule[] = [
  {
    id: 'phone',
    description: 'international phone number',
    pattern: new RegExp(
      `(?:^|[^\\w+.)\\]|^&*%]|_|${afterEscape})(\\+[1-9][0-9]{0,2}[ .-]?(?:\\([0-9]{1,4}\\)[ .-]?)?[0-9]{1,4}(?:[ .-]?[0-9]{1,4}){1,5})(?:[^\\w|&*^%-]|$)`,
    ),
    check: phoneNumber,
    confidence: ({ secret, match }) => (/[ .()-]/.test(secret) || !/^[=(,]/.test(match) ? 'format' : 'guessed'),
  },
  {
    id: 'phone-named',
    description: 'national phone number, by its name',
    pattern: new RegExp(
      `(?:${WORDS})[ A-Za-z_.]{0,16}["']?[ \\t]{0,4}[:=：是]?[ \\t]{0,4}["']?(\\(?0?[0-9]{2,5}\\)?(?:[ ./-]{0,2}[0-9]{2,6}){1,4})(?:[^\\w]|$)`,
      'i',
    ),
    confidence: 'guessed',
    check: (text) => {
      const digits = text.replace(/\D/g, '').length;
      return digits >= 7 && digits <= 13 && !/^\d{4}-\d{2}-\d{2}(?:\D|$)/.test(text);
    },
  },
  regional('cn', 'Chinese mobile number', '(?:\\+?86[ -]?)?1[3-9][0-9][ -]?[0-9]{4}[ -]?[0-9]{4}', false),
  regional(
    'us',
    'US phone number',
    '(?:1[ .-])?(?:\\([2-9][0-9]{2}\\) ?[2-9][0-9]{2}-[0-9]{4}|[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}|[2-9][0-9]{2}\\.[2-9][0-9]{2}\\.[0-9]{4})',
    false,
  ),
  regional(
    'gb',
    'British phone number',
    '0(?:7[0-9]{3} ?[0-9]{6}|20 ?[0-9]{4} ?[0-9]{4}|1[0-9]{2,3} ?[0-9]{3} ?[0-9]{3,4})',
    false,
  ),
  regional(
    'de',
    'German phone number',
    '0(?:1[5-7][0-9]{1,2}|[2-9][0-9]{1,4})[ /-]{0,3}[0-9]{3,5}[ -]?[0-9]{0,6}',
    false,
  ),
  regional('fr', 'French phone number', '0[1-9](?:[ .-]?[0-9]{2}){4}', false),
  regional(
    'at',
    'Austrian phone number',
    '0(?:1|6[5-9][0-9]|[2-7][0-9]{2,3})[ /-]{1,3}[0-9]{3,4}[ -]?[0-9]{0,6}',
    false,
  ),
  regional('ch', 'Swiss phone number', '0[2-9][0-9] ?[0-9]{3} ?[0-9]{2} ?[0-9]{2}', false),
  regional(
    'nl',
    'Dutch phone number',
    '0(?:6[ -]?[0-9]{8}|6(?: [0-9]{2}){4}|[1-9][0-9][ -][0-9]{7}|[1-9][0-9]{2}[ -][0-9]{6})',
    false,
  ),
  regional('be', 'Belgian phone number', '0(?:4[0-9]{2}|[1-9][0-9]?)(?:[ ./-][0-9]{2,3}){2,3}', false),
  regional(
    'es',
    'Spanish phone number',
    '[6-9][0-9]{2}[ .-]?(?:[0-9]{3}[ .-]?[0-9]{3}|[0-9]{2}(?:[ .-][0-9]{2}){2})',
    false,
  ),
  regional('it', 'Italian phone number', '3[0-9]{2}[ .-]?[0-9]{3}[ .-]?[0-9]{3,4}|0[0-9]{1,3}[ /.-][0-9]{5,8}', false),
  regional('pl', 'Polish phone number', '[4-8][0-9]{2}[ -][0-9]{3}[ -][0-9]{3}', false),
  regional('se', 'Swedish phone number', '0[1-9][0-9]{0,2}-[0-9]{2,3}(?: ?[0-9]{2}){2}', false),
  regional('in', 'Indian phone number', '(?:0|91[ -])?[6-9][0-9]{4}[ -]?[0-9]{5}', false),
  regional('jp', 'Japanese phone number', '0[789]0-?[0-9]{4}-?[0-9]{4}|0[0-9]{1,4}-[0-9]{1,4}-[0-9]{4}', false),
  regional(
    'kr',
    'South Korean phone number',
    '01[016789]-?[0-9]{3,4}-?[0-9]{4}|0(?:2|[3-6][1-5])-[0-9]{3,4}-[0-9]{4}',
    false,
  ),
  regional(
    'au',
    'Australian phone number',
    '04[0-9]{2} ?[0-9]{3} ?[0-9]{3}|\\(?0[2378]\\)? ?[0-9]{4} ?[0-9]{4}',
    false,
  ),
  regional('br', 'Brazilian phone number', '\\(?[1-9][0-9]\\)? ?9?[0-9]{4}-[0-9]{4}', false),
];
