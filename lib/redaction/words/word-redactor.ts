import type { Redactor } from '../redactor.ts';
import { createWordAutomaton } from './word-automaton.ts';
import { type WordShow, wordStream } from './word-stream.ts';

/** How words are found and shown. */
export interface WordRedactorOptions extends WordShow {
  /** Case, width and what cannot be seen make no difference. A space stands for any white space character. */
  readonly words: readonly string[];
}

/** Takes words out of text, whole or as it comes, in time that hardly depends on how many words there are. */
export function createWordRedactor({ words, ...show }: WordRedactorOptions): Redactor {
  const automaton = createWordAutomaton(words);
  return {
    redact(text) {
      const stream = wordStream(automaton, show);
      return { text: stream.write(text) + stream.end(), findings: stream.findings };
    },
    stream: (options) => wordStream(automaton, show, options),
  };
}
