/** Characters without a width, marks that only control the direction of text, and selectors of a variant. */
export const unseen =
  '\\u00ad\\u034f\\u061c\\u180b-\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff';

/** Signs after which an invisible character hides something. Between letters of other scripts and in emoji, such characters join. */
export const hiding = '\\w.$%&=+:;"#\\\\?~{[\\-';

const BEGINS = 1;
const UNSEEN = 2;
const HIDING = 4;
const UNDECIDED = 255;
const TESTS = [
  [BEGINS, new RegExp(`[%&\\\\=\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a${unseen}]`)],
  [UNSEEN, new RegExp(`[${unseen}]`)],
  [HIDING, new RegExp(`[${hiding}]`)],
] as const;
/** The role of each of the 65,536 units in escapes, computed on first use. */
const roles = new Uint8Array(65_536).fill(UNDECIDED);

function roleOf(unit: number): number {
  if (roles[unit] === UNDECIDED) {
    const letter = String.fromCharCode(unit);
    roles[unit] = TESTS.reduce((all, [role, set]) => (set.test(letter) ? all | role : all), 0);
  }
  return roles[unit]!;
}

/** Returns the first place from `from` on, before `to`, at which an escape may begin; `to` if there is none. */
export function nextEscapeUnit(text: string, from: number, to: number): number {
  let before = HIDING;
  for (let at = from; at < to; at++) {
    const role = roleOf(text.charCodeAt(at));
    if ((role & BEGINS) !== 0 && ((role & UNSEEN) === 0 || (before & (HIDING | UNSEEN)) !== 0)) return at;
    before = role;
  }
  return to;
}

/** Returns whether a unit, in a row of similar units, is not part of any escape. */
export function isApart(unit: number): boolean {
  const role = roleOf(unit);
  return (role & HIDING) === 0 && (role & (BEGINS | UNSEEN)) !== BEGINS;
}

/** Returns whether the first character of a text is invisible. */
export function beginsUnseen(text: string): boolean {
  return text !== '' && (roleOf(text.charCodeAt(0)) & UNSEEN) !== 0;
}
