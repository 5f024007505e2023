import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { createWordRedactor } from '../../redaction/words/word-redactor.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { scanHook } from '../scanning/scan-hook.ts';
import type { ScanTerms } from '../scanning/scan-note.ts';
import { readWords } from './read-words.ts';
import { type WordFilterOptions, type WordFilterSettings, wordFilterOptionsSchema } from './word-filter-options.ts';

/** After all that rewrites, before secrets are looked for. */
const BEFORE_SECRETS = 390;

const policies = { off: 'off', flag: 'report', mask: 'redact', block: 'block' } as const;

const terms: ScanTerms = {
  things: 'words that may not be used',
  codes: { report: 'word-flagged', redact: 'word-masked', block: 'word-blocked' },
};

/**
 * Finds words in prompts, answers, results and arguments, and flags, masks or blocks them. Case, width and characters that cannot be seen make
 * no difference; words end where letters do, in scripts that have spaces. Streams are looked at as they come: only what may still become a
 * word is held back. Notes say how many were found and where, never which.
 *
 * Calls at once and sub-agents: each text is looked at by itself. Retry: what is asked or run again is looked at again. Suspend and resume:
 * nothing is kept. If it fails, the step fails, and nothing that was not looked at gets through.
 */
export function wordFilter(options: WordFilterOptions): Hook {
  const settings = parseHookOptions('word-filter', wordFilterOptionsSchema, options);
  const { name, prompts, answers, results, calls } = settings;
  return scanHook({
    name,
    description: 'Finds words and flags, masks or blocks them.',
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
