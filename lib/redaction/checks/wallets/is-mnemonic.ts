/** Words of nearly every sentence, which no mnemonic has; their list leaves them out. */
const OF_SENTENCES = new Set(
  'the and for are your from not was but has its our their been were which would these those does did also because each'.split(
    ' ',
  ),
);
const LEAST_WORDS = 12;
/** By chance a word comes twice, hardly more of them. */
const LEAST_DIFFERENT = 9;

/** Whether words can be those of a wallet (BIP-39). Their list is not looked up: it would be larger than all other checks together. */
export function isMnemonic(text: string): boolean {
  const words = text.match(/[a-z]{3,8}/g) ?? [];
  return (
    words.length >= LEAST_WORDS &&
    new Set(words).size >= LEAST_DIFFERENT &&
    !words.slice(0, LEAST_WORDS).some((word) => OF_SENTENCES.has(word))
  );
}
