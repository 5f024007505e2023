import type { AsPlainObject, Options, SearchResult } from 'minisearch';
import { loadEngine } from './load-engine.ts';
import { words } from './words.ts';

export interface IndexedText {
  readonly id: number;
  readonly text: string;
  /** Its place or topic. A word in it has a higher weight. */
  readonly about: string;
}

export interface TextIndex {
  add(text: IndexedText): void;
  /** Removes a text, which must be the same one that was added. */
  remove(text: IndexedText): void;
  /** Returns the texts that best match a question, the best first. `wanted` filters ids. */
  search(question: string, limit: number, wanted?: (id: number) => boolean): readonly TextHit[];
  /** Returns the index as JSON data for `createTextIndex`. */
  save(): object;
}

/** A match. Its score is relative to other matches of the same question. */
export interface TextHit {
  readonly id: number;
  readonly score: number;
}

/** The maximum number of searched characters. For a longer question, these are its beginning and its end. */
const QUESTION_CHARS = 2_000;
/** The minimum lengths for unknown words: for a prefix search, and for one with a typing error. */
const PREFIX_FROM = 4;
const FUZZY_FROM = 5;
/** The maximum number of such words, because each costs more than all others together. */
const MOST_UNKNOWN = 16;

const settings: Options<IndexedText> = {
  fields: ['text', 'about'],
  tokenize: words,
  processTerm: (word) => word,
  searchOptions: { boost: { about: 1.5 }, weights: { prefix: 0.5, fuzzy: 0.2 } },
};

/** Creates an index, from the result of `save` if given. Throws if that is damaged. */
export function createTextIndex(hook: string, saved?: object): TextIndex {
  const Engine = loadEngine(hook);
  const engine = saved ? Engine.loadJS<IndexedText>(saved as AsPlainObject, settings) : new Engine(settings);
  return {
    add: (text) => engine.add(text),
    remove: (text) => engine.remove(text),
    search(question, limit, wanted) {
      const half = QUESTION_CHARS / 2;
      const asked = question.length > QUESTION_CHARS ? `${question.slice(0, half)} ${question.slice(-half)}` : question;
      const filter = wanted && { filter: ({ id }: { id: unknown }) => wanted(id as number) };
      const exact = engine.search(asked, filter);
      const unknown = unknownWords(asked, exact);
      const found =
        unknown.size === 0
          ? exact
          : engine.search(asked, {
              ...filter,
              prefix: (word) => unknown.has(word),
              fuzzy: (word) => (unknown.has(word) && word.length >= FUZZY_FROM ? 0.2 : false),
            });
      return found.slice(0, limit).map(({ id, score }) => ({ id: id as number, score: Math.round(score * 100) / 100 }));
    },
    save: () => engine.toJSON(),
  };
}

function unknownWords(question: string, found: readonly SearchResult[]): ReadonlySet<string> {
  const known = new Set<string>();
  for (const { queryTerms } of found) for (const word of queryTerms) known.add(word);
  const unknown = words(question).filter((word) => word.length >= PREFIX_FROM && !known.has(word));
  return new Set(unknown.slice(0, MOST_UNKNOWN));
}
