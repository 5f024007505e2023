import type { HoldBackScan } from '../../pipeline/define/hold-back.ts';

/** The maximum number of characters held back without a sentence end. */
const LONGEST = 4_000;
/** A sentence ends here, whatever follows. */
const OVER = /(?:[.!?…]["'”’)\]]*\s|[。！？｡]["'”’」』）]*|\n)$/;

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** Releases text in complete sentences of at least `minChars` characters, and the rest at the end. */
export function sentenceEnd(minChars: number): HoldBackScan {
  return (text, end) => {
    if (end) return text.length;
    if (text.length < minChars || text === '') return 0;
    const found = endOfSentences(text);
    if (found > 0 && found >= minChars) return found;
    return text.length >= LONGEST + minChars ? text.length : 0;
  };
}

/** Returns where the last incomplete sentence begins. It reads only the end, so its time does not depend on the length of the text. */
function endOfSentences(text: string): number {
  const from = Math.max(0, text.length - LONGEST);
  const end = text.slice(from);
  if (OVER.test(end)) return text.length;
  const begin = sentences.segment(end).containing(end.length - 1)?.index ?? 0;
  return begin === 0 ? 0 : from + begin;
}
