import type { Sighting } from '../../compile/sighting.ts';

/** Shorter names occur in too many values by coincidence. */
const LEAST = 4;
const LONGEST = 64;
const NAMED = /[\w$-]/;

/** Returns whether a value repeats its name, or the word for secrets in it: a label, a field, a constant, an error code. */
export function isEcho(value: string, { match, line }: Sighting): boolean {
  const letters = lettersOf(value);
  if (letters.length < LEAST) return false;
  const end = line.length - match.length;
  let start = end;
  while (start > 0 && end - start < LONGEST && NAMED.test(line.charAt(start - 1))) start--;
  const before = line.slice(start, end);
  const word = /^[\w$-]+/.exec(match)?.[0] ?? '';
  const name = lettersOf(before + word);
  if (isTranslation(value, before + word)) return true;
  if (alike(before + word).endsWith(alike(value))) return true;
  if (name.includes(letters)) return !/\d/.test(value) || value.length < 8;
  if (name.length >= LEAST + 2 && letters.startsWith(name)) return true;
  const core = lettersOf(word);
  return core.length >= LEAST && letters.includes(core) && /^[A-Za-z_./: -]+$/.test(value);
}

const FIRST_WORD = /^[A-Za-z](?:[a-z]{3,}|[A-Z]{3,})(?=[A-Z_-])/;

/** `"RadiusSecret": "Radius-Geheimnis"`: the first word of the name, and a word in another language. */
function isTranslation(value: string, name: string): boolean {
  const first = FIRST_WORD.exec(name)?.[0].toLowerCase();
  if (first === undefined || !value.toLowerCase().startsWith(first)) return false;
  return /^[-_ ]?\p{L}+$/u.test(value.slice(first.length)) && /^[-_ ]/.test(value.slice(first.length));
}

const alike = (text: string): string =>
  text
    .slice(0, 128)
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();
const lettersOf = (text: string): string =>
  text
    .slice(0, 128)
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
