import type { AsPlainObject, Options, SearchResult } from 'minisearch';
import { loadEngine } from './load-engine.ts';
import { words } from './words.ts';

/** A text to be found. */
export interface IndexedText {
  readonly id: number;
  readonly text: string;
  /** Where it stands, or what it is about; a word in it counts more. */
  readonly about: string;
}

/** Texts by their words. */
export interface TextIndex {
  add(text: IndexedText): void;
  /** Takes a text out again, which has to be the one that was added. */
  remove(text: IndexedText): void;
  /** The texts that have most to do with a question, the best first. `wanted` says of an id whether it counts. */
  search(question: string, limit: number, wanted?: (id: number) => boolean): readonly TextHit[];
  /** The index as JSON data; `createTextIndex` takes it. */
  save(): object;
}

/** A text that was found. The score says how well it fits, compared to others of the same question. */
export interface TextHit {
  readonly id: number;
  readonly score: number;
}

/** Of a longer question only the beginning and the end are looked up. */
const QUESTION_CHARS = 2_000;
/** Words that no text has are looked up by their beginning from this length on, and with a typing error from the other. */
const PREFIX_FROM = 4;
const FUZZY_FROM = 5;
/** Of more such words the first ones; each costs more than all others together. */
const MOST_UNKNOWN = 16;

const settings: Options<IndexedText> = {
  fields: ['text', 'about'],
  tokenize: words,
  processTerm: (word) => word,
  searchOptions: { boost: { about: 1.5 }, weights: { prefix: 0.5, fuzzy: 0.2 } },
};

/** Makes an index, from what `save` gave if there is such; throws where that is damaged. */
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
