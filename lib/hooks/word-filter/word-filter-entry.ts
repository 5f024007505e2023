import { eventTypes } from '../../events/decisions/event-rules.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { wordFilter } from './word-filter.ts';
import { type WordFilterSettings, wordFilterOptionsSchema } from './word-filter-options.ts';

const strictness = ['off', 'flag', 'mask', 'block'] as const;

/** The catalogue entry of `wordFilter`. Fewer words, a milder action and other word boundaries weaken it. */
export const wordFilterEntry = defineCatalogueEntry({
  name: 'word-filter',
  description: 'Finds listed words in prompts, answers, results and calls, and flags, masks or blocks them.',
  events: eventTypes.filter((type) => type !== 'error'),
  optionsSchema: wordFilterOptionsSchema,
  example: { words: ['project x', 'damn'], prompts: 'flag', answers: 'mask' },
  files: ({ files }) => files,
  weakens: (before, after) =>
    before.name !== after.name ||
    before.wholeWords !== after.wholeWords ||
    (['prompts', 'answers', 'results', 'calls'] as const).some(
      (one) => strictness.indexOf(after[one]) < strictness.indexOf(before[one]),
    ) ||
    isLess(before, after, 'words') ||
    isLess(before, after, 'files'),
  create: (options) => wordFilter(options),
});

function isLess(before: WordFilterSettings, after: WordFilterSettings, list: 'words' | 'files'): boolean {
  const now = new Set(after[list]);
  return before[list].some((one) => !now.has(one));
}
