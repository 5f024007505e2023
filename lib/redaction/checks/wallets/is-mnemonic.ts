/** Words of nearly every sentence that the word list of mnemonics excludes. */
const OF_SENTENCES = new Set(
  'the and for are your from not was but has its our their been were which would these those does did also because each'.split(
    ' ',
  ),
);
const LEAST_WORDS = 12;
/** One word may occur twice by coincidence, but rarely several. */
const LEAST_DIFFERENT = 9;

/** Returns whether words can be a wallet mnemonic (BIP-39). It does not look up their list, which would be larger than all other checks together. */
export function isMnemonic(text: string): boolean {
  const words = text.match(/[a-z]{3,8}/g) ?? [];
  return (
    words.length >= LEAST_WORDS &&
    new Set(words).size >= LEAST_DIFFERENT &&
    !words.slice(0, LEAST_WORDS).some((word) => OF_SENTENCES.has(word))
  );
}
