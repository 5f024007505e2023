/** Longer words are hashes and data, which their beginning identifies. */
const LONGEST = 64;

const runs = /[\p{L}\p{M}\p{N}]+/gu;
const ascii = /^[\x20-\x7e\s]*$/;
/** Scripts whose words cannot be matched as written: without spaces between words, or (Hangul) with attached particles and endings. */
const joinedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}ー]+/gu;
const han = /\p{Script=Han}/u;
const hangul = /^\p{Script=Hangul}/u;
const joined = /\p{Ll}\p{Lu}/u;
const wordParts = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|\p{L}+/gu;

/**
 * Returns the words of a text for the index: in lower case, of one width, and without a plural s of English. The parts of a name such as `readFile`
 * are words, too. In scripts without spaces, and in Korean, pairs of letters are words. Each Chinese letter is a word, too, because words of one
 * letter are common there.
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
  for (const part of run.slice(0, LONGEST).match(wordParts) ?? []) if (part.length > 1) found.push(lookedUp(part));
}

function addPairs(run: string, found: string[]): void {
  for (const spaced of run.split(joinedScripts)) if (spaced !== '') addWord(spaced, found);
  for (const letters of run.match(joinedScripts) ?? []) {
    const each = [...letters];
    if (each.length === 1) found.push(letters);
    else for (const letter of each) if (han.test(letter)) found.push(letter);
    // For a noun of one syllable with its particle: the pair alone would differ with each particle.
    if (each.length === 2 && hangul.test(letters)) found.push(each[0] as string);
    for (let at = 1; at < each.length; at++) found.push(`${each[at - 1]}${each[at]}`);
  }
}

function lookedUp(word: string): string {
  const low = word.slice(0, LONGEST).toLowerCase();
  return low.length > 3 && low.endsWith('s') && !low.endsWith('ss') ? low.slice(0, -1) : low;
}
