/** The HTML names of ASCII signs. */
const SIGNS: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  equals: '=',
  colon: ':',
  semi: ';',
  commat: '@',
  sol: '/',
  bsol: '\\',
  period: '.',
  comma: ',',
  excl: '!',
  quest: '?',
  num: '#',
  dollar: '$',
  percnt: '%',
  plus: '+',
  ast: '*',
  lpar: '(',
  rpar: ')',
  lsqb: '[',
  rsqb: ']',
  lcub: '{',
  rcub: '}',
  lowbar: '_',
  verbar: '|',
  grave: '`',
  Hat: '^',
  NewLine: '\n',
  Tab: '\t',
};

/** The HTML names of the letters from U+00C0 on. */
const LETTERS =
  `Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times
  Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml
  eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`.split(/\s+/);

/** The characters that HTML writes as `&name;`. */
export const entities: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SIGNS),
  ...LETTERS.map((name, place): [string, string] => [name, String.fromCharCode(0xc0 + place)]),
]);
