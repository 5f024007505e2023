/** Longer words are hashes and data; their beginning is enough to find them. */
const LONGEST = 64;

const runs = /[\p{L}\p{M}\p{N}]+/gu;
const ascii = /^[\x20-\x7e\s]*$/;
/** Scripts whose words are not found as they are written: without spaces between them, or (Hangul) with particles and endings joined. */
const joinedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}ー]+/gu;
const han = /\p{Script=Han}/u;
const hangul = /^\p{Script=Hangul}/u;
const joined = /\p{Ll}\p{Lu}/u;
const humps = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|\p{L}+/gu;

/**
 * The words of a text as they are looked up: in lower case, of one width, in the singular as far as an English s at the end tells. A
 * name such as `readFile` is found by its parts, too. In scripts without spaces, and in Korean, pairs of letters stand for words, and each
 * letter of Chinese for itself as well: words of one letter are common there.
 */
export function words(text: string): string[] {
  const found: string[] = [];
  const plain = ascii.test(text);
  for (const run of (plain ? text : text.normalize('NFKC')).match(runs) ?? []) {
    if (!plain && run.search(joinedScripts) >= 0) addPairs(run, found);
    else addWord(run, found);
  }
  return found;
}

function addWord(run: string, found: string[]): void {
  const whole = lookedUp(run);
  found.push(whole);
  if (!joined.test(run)) return;
  for (const part of run.slice(0, LONGEST).match(humps) ?? []) if (part.length > 1) found.push(lookedUp(part));
}

function addPairs(run: string, found: string[]): void {
  for (const spaced of run.split(joinedScripts)) if (spaced !== '') addWord(spaced, found);
  for (const letters of run.match(joinedScripts) ?? []) {
    const each = [...letters];
    if (each.length === 1) found.push(letters);
    else for (const letter of each) if (han.test(letter)) found.push(letter);
    // A noun of one syllable and its particle: the pair alone would differ with each particle.
    if (each.length === 2 && hangul.test(letters)) found.push(each[0] as string);
    for (let at = 1; at < each.length; at++) found.push(`${each[at - 1]}${each[at]}`);
  }
}

function lookedUp(word: string): string {
  const low = word.slice(0, LONGEST).toLowerCase();
  return low.length > 3 && low.endsWith('s') && !low.endsWith('ss') ? low.slice(0, -1) : low;
}
