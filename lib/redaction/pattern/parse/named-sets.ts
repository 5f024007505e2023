import { type CharSet, complement, unite } from './char-set.ts';

const of = (from: string, to = from): CharSet => [from.charCodeAt(0), to.charCodeAt(0)];

const digit = of('0', '9');
const upper = of('A', 'Z');
const lower = of('a', 'z');
const alpha = unite(upper, lower);
const alnum = unite(alpha, digit);
const space = unite(
  [9, 13, 32, 32, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a],
  [0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff],
);

/** ASCII letters, digits and the underscore: `\w`. */
export const wordSet: CharSet = unite(alnum, of('_'));

/** The line ends of JavaScript. */
export const newlineSet: CharSet = [10, 10, 13, 13, 0x2028, 0x2029];

/** The sets of `\d`, `\w`, `\s` and their capitals, by letter. */
export const shorthandSets: Readonly<Record<string, CharSet>> = {
  d: digit,
  w: wordSet,
  s: space,
  D: complement(digit),
  W: complement(wordSet),
  S: complement(space),
};

/** The sets of POSIX classes (`[[:alnum:]]`), by name. */
export const posixSets: Readonly<Record<string, CharSet>> = {
  alnum,
  alpha,
  ascii: [0, 127],
  blank: unite(of('\t'), of(' ')),
  cntrl: [0, 31, 127, 127],
  digit,
  graph: of('!', '~'),
  lower,
  print: of(' ', '~'),
  punct: unite(of('!', '/'), of(':', '@'), of('[', '`'), of('{', '~')),
  space: [9, 13, 32, 32],
  upper,
  word: wordSet,
  xdigit: unite(digit, of('A', 'F'), of('a', 'f')),
};
