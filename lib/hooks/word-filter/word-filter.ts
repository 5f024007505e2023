import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { eventTypes } from '../../events/decisions/event-rules.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { createWordRedactor } from '../../redaction/words/word-redactor.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { scanHook } from '../scanning/scan-hook.ts';
import type { ScanTerms } from '../scanning/scan-note.ts';
import { readWords } from './read-words.ts';
import { type WordFilterOptions, type WordFilterSettings, wordFilterOptionsSchema } from './word-filter-options.ts';

/** After all rewriting hooks, before the scan for secrets. */
const BEFORE_SECRETS = 390;

const policies = { off: 'off', flag: 'report', mask: 'redact', block: 'block' } as const;

const terms: ScanTerms = {
  things: 'words that may not be used',
  codes: { report: 'word-flagged', redact: 'word-masked', block: 'word-blocked' },
};

/**
 * Finds words in prompts, answers, results and arguments, and flags, masks or blocks them. Case, width and invisible characters are
 * ignored. In scripts that separate words, words end with their letters. Streams are scanned as they arrive: only text that may still
 * become a word is held back. Notes contain the number of matches and their location, never the words.
 *
 * If the hook fails, the step fails, and unscanned text does not pass.
 *
 * - Parallel calls: Each text is scanned on its own.
 * - Sub-agents: Their texts are scanned, too.
 * - Retry: Each attempt is scanned.
 * - Suspend and resume: Nothing is kept.
 * - Cost: One pass over each text and chunk. No model request.
 */
export function wordFilter(options: WordFilterOptions): Hook {
  const settings = parseHookOptions('word-filter', wordFilterOptionsSchema, options);
  const { name, prompts, answers, results, calls } = settings;
  return scanHook({
    name,
    description: 'Finds listed words and flags, masks or blocks them.',
    priority: BEFORE_SECRETS,
    redactor: redactorOf(settings),
    policies: {
      prompt: policies[prompts],
      context: policies[prompts],
      text: policies[answers],
      thinking: policies[answers],
      toolInput: policies[calls],
      toolResult: policies[results],
      toolProgress: policies[results],
    },
    terms,
  });
}

function redactorOf({ name, words, files, label, wholeWords, mask }: WordFilterSettings): Redactor {
  const all = [...words, ...files.flatMap((path) => readWords(name, path))];
  try {
    return createWordRedactor({ words: all, label, whole: wholeWords, replace: () => mask });
  } catch (cause) {
    throw new HooklineError('OPTIONS_INVALID', `The hook "${name}": ${messageOf(cause)}`, { cause });
  }
}

const strictness = ['off', 'flag', 'mask', 'block'] as const;

/** @internal The catalogue entry of `wordFilter`. Fewer words, a milder action and other word boundaries weaken it. */
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
