const CLASSES: Readonly<Record<string, string>> = {
  d: '[0-9]',
  h: '[0-9a-f]',
  H: '[0-9A-Fa-f]',
  l: '[0-9a-z]',
  u: '[0-9A-Z]',
  a: '[0-9A-Za-z]',
  w: '[\\w-]',
  e: '[\\w=-]',
  p: '[\\w=.-]',
  s: '[\\w+/=-]',
  b: '[0-9A-Za-z+/]',
  t: '[2-7a-z]',
  T: '[2-7A-Z]',
  '=': '=',
};
const UUID = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';

/**
 * Returns the pattern of a shape, a short notation for formats. `<h32>` is 32 characters of a class, `<h32-40>` 32 to 40, `<h32->` 32 or more. The classes:
 * d(igits), h(ex) and H(ex in any case), l(ower case and digits), u(pper case and digits), a(lphanumeric), w(ord and dash), e (w and `=`), p (e and dot), s
 * (e, `+` and `/`), b(ase64), t and T (base32), and `=` for padding. `<uuid>` is a UUID, `(x|y)` either, `^` and `$` an edge of a word; all other text is
 * literal.
 */
export function shapePattern(shape: string): string {
  return shape.replace(
    /<uuid>|<([dhHluawepsbtT=])(\d+)(?:(-)(\d*))?>|\^|\$|\(|[.+*?\\[\]{}]/g,
    (part: string, letter?: string, least?: string, dash?: string, most?: string) => {
      if (part === '<uuid>') return UUID;
      if (letter !== undefined) return `${CLASSES[letter]}{${least}${dash ? `,${most}` : ''}}`;
      if (part === '(') return '(?:';
      return part === '^' || part === '$' ? '\\b' : `\\${part}`;
    },
  );
}
