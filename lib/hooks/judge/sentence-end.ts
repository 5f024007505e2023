import type { HoldBackScan } from '../../pipeline/define/hold-back.ts';

/** Of a text without an end of a sentence no more than this is held back. */
const LONGEST = 4_000;
/** Behind these a sentence is over, whatever comes next. */
const OVER = /(?:[.!?…]["'”’)\]]*\s|[。！？｡]["'”’」』）]*|\n)$/;

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** Lets text go in whole sentences, of at least `minChars` characters at a time; at the end, all of it. */
export function sentenceEnd(minChars: number): HoldBackScan {
  return (text, end) => {
    if (end) return text.length;
    if (text.length < minChars || text === '') return 0;
    const found = endOfSentences(text);
    if (found > 0 && found >= minChars) return found;
    return text.length >= LONGEST + minChars ? text.length : 0;
  };
}

/** Where the last sentence begins that is not over. Only the end is looked at: that takes the same time for a text of any length. */
function endOfSentences(text: string): number {
  const from = Math.max(0, text.length - LONGEST);
  const end = text.slice(from);
  if (OVER.test(end)) return text.length;
  const begin = sentences.segment(end).containing(end.length - 1)?.index ?? 0;
  return begin === 0 ? 0 : from + begin;
}
