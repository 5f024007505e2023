import { entities } from './entities.ts';
import { hiding, unseen } from './escape-units.ts';

/** A sequence that stands for another text. */
export interface Escape {
  readonly length: number;
  readonly text: string;
}

/** A percent sign, which may be escaped itself: `%25`, `%2525`. */
const P = '%(?:25){0,3}';
const CONTINUED = `${P}[89AaBb][\\dA-Fa-f]`;
const PERCENT = new RegExp(
  `${P}(?:[0-7][\\dA-Fa-f]|[CcDd][\\dA-Fa-f]${CONTINUED}|[Ee][\\dA-Fa-f](?:${CONTINUED}){2}|[Ff][0-4](?:${CONTINUED}){3})`,
  'y',
);
const PERCENT_BEGUN = new RegExp(`(?:${P}(?:[C-Fc-f][\\dA-Fa-f]|[89AaBb][\\dA-Fa-f])){0,3}(?:${P}[\\dA-Fa-f]?)?$`, 'y');
const ENTITY = /&(?:amp;){0,3}(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|([A-Za-z]{2,7}));/y;
const ENTITY_BEGUN = /&(?:amp;){0,3}(?:#(?:\d{0,7}|[xX][\dA-Fa-f]{0,6})|[A-Za-z]{0,7})$/y;
const BACKSLASH = /\\{1,8}(?:(["'`/bfnrt])|u([\dA-Fa-f]{4})|u\{([\dA-Fa-f]{1,6})\}|x([\dA-Fa-f]{2}))/y;
const BACKSLASH_BEGUN = /\\{1,8}(?:u(?:[\dA-Fa-f]{0,3}|\{[\dA-Fa-f]{0,6})|x[\dA-Fa-f]?)?$/y;
// A list item or the end of a PEM block may follow a line of base64.
const EQUALS = /=(?:3[Dd]|\r?\n(?=-?[^\s-]))/y;
const EQUALS_BEGUN = /=(?:3|\r?(?:\n-?)?)?$/y;
const UNSEEN = new RegExp(`[${unseen}]`, 'y');
const HIDING = new RegExp(`^[${hiding}${unseen}]$`);
const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

type Before = (count: number) => string;
type Decode = (match: RegExpExecArray, before: Before) => string | undefined;

/** By the first character of an escape: the escape, and the beginning of one at the end of the text so far. */
const FORMS: Readonly<Record<string, { readonly begun: RegExp; readonly whole: RegExp; readonly decode: Decode }>> = {
  '%': { begun: PERCENT_BEGUN, whole: PERCENT, decode: percent },
  '&': { begun: ENTITY_BEGUN, whole: ENTITY, decode: entity },
  '\\': { begun: BACKSLASH_BEGUN, whole: BACKSLASH, decode: backslash },
  '=': { begun: EQUALS_BEGUN, whole: EQUALS, decode: equals },
};

/** Lines of quoted-printable are broken between these columns. */
const FIRST_COLUMN = 60;
const LAST_COLUMN = 76;
/** The number of characters before an escape that are read. */
export const ESCAPE_LOOK_BACK = LAST_COLUMN + 1;

/**
 * Returns the escape that begins at a place, completely decoded (`%2540` is `@`); `undefined` if there is none, `begun` if there may be one and the text is
 * not `final`. `before` returns the last units before the place.
 */
export function escapeAt(text: string, at: number, final: boolean, before: Before): Escape | 'begun' | undefined {
  const forms = FORMS[text.charAt(at)];
  if (forms) {
    const { begun, whole, decode } = forms;
    return !final && matchAt(begun, text, at) ? 'begun' : escapeOf(matchAt(whole, text, at), decode, before);
  }
  if (!matchAt(UNSEEN, text, at)) return { length: 1, text: narrow(text.charCodeAt(at)) };
  return HIDING.test(before(1)) ? { length: 1, text: '' } : undefined;
}

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

function escapeOf(match: RegExpExecArray | null, decode: Decode, before: Before): Escape | undefined {
  const text = match ? decode(match, before) : undefined;
  return match && text !== undefined ? { length: match[0].length, text } : undefined;
}

function percent([whole]: RegExpExecArray): string | undefined {
  try {
    return visible(decodeURIComponent(whole.replace(/%(?:25)+(?=[\dA-Fa-f]{2})/g, '%')));
  } catch {
    return undefined;
  }
}

function entity([, decimal, hex, name]: RegExpExecArray): string | undefined {
  if (name !== undefined) return entities.get(name);
  return ofCode(decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal));
}

function backslash([, short, unit, code, byte]: RegExpExecArray): string | undefined {
  if (short !== undefined) return SHORT[short] ?? short;
  // Half of a pair is followed by the other half.
  if (unit !== undefined) return visible(String.fromCharCode(Number.parseInt(unit, 16)));
  return ofCode(Number.parseInt((code ?? byte) as string, 16));
}

function equals([whole]: RegExpExecArray, before: Before): string | undefined {
  if (whole.length === 3 && whole.startsWith('=3')) return '=';
  const line = before(LAST_COLUMN);
  const column = line.length - 1 - Math.max(line.lastIndexOf('\n'), -1);
  return column >= FIRST_COLUMN && column < LAST_COLUMN ? '' : undefined;
}

/** Converts full-width signs to narrow ones. Alone they are Chinese and Japanese punctuation, not an escape. */
export function narrowed(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (sign) => narrow(sign.charCodeAt(0)));
}

const narrow = (unit: number): string => String.fromCharCode(unit - 0xfee0);
const ofCode = (code: number): string | undefined =>
  code > 0x10ffff ? undefined : visible(String.fromCodePoint(code));

/** Returns an empty text for an invisible character. */
function visible(text: string): string {
  return matchAt(UNSEEN, text, 0) ? '' : narrowed(text);
}
