import type { Rule } from '../compile/rule.ts';

const Q = '\\\\{0,3}"';
const BLANKS = '(?:\\s|\\\\{1,3}[nrt])*';
const COLON = `${Q}${BLANKS}:${BLANKS}`;
/** Fields of an elliptic curve, of RSA and of a symmetric key; a prime is longer than any other field of that name. */
const PRIVATE = `${Q}(?:(?:d|dp|dq|qi|k)${COLON}${Q}([\\w-]{22,})|[pq]${COLON}${Q}([\\w-]{80,}))${Q}`;
/** A field with a value of one word, or a short list. */
const MEMBER = `,${BLANKS}${Q}\\w{1,12}${COLON}(?:${Q}[^"\\\\\\s]*${Q}|true|false|\\[[\\s"\\\\\\w,:-]{0,72}\\])${BLANKS}`;
/** The number of fields between `d` and `kty` in alphabetical order. */
const MOST_MEMBERS = 8;

/** Returns the pattern of up to `most` fields, or none. */
function members(most: number): string {
  return Array.from({ length: most }).reduce<string>((rest) => `(?:${MEMBER}${rest}|)`, '');
}

/** Private fields of JSON Web Keys, before and after the type of the key. */
export const jwkRules: readonly Rule[] = [
  {
    id: 'jwk-private-member',
    description: 'private member of a JSON Web Key',
    pattern: new RegExp(PRIVATE),
    entropy: 3,
    keywords: ['"kty', '\\"kty'],
  },
  {
    id: 'jwk-member-before-type',
    description: 'private member of a JSON Web Key, in front of its type',
    pattern: new RegExp(`${PRIVATE}${BLANKS}${members(MOST_MEMBERS)},${BLANKS}${Q}kty${COLON}${Q}(?:EC|OKP|RSA|oct)`),
    entropy: 3,
  },
];
