import type { RuleMatch } from './rule-match.ts';
import { parseShell } from './shell/parse-shell.ts';
import { readingsOf } from './shell/readings.ts';
import type { ShellCommand, ShellWord } from './shell/shell-command.ts';
import { createWildcard } from './wildcard.ts';

interface Pattern {
  fits(text: string): boolean;
  /** Whether a text that begins so, and goes on nobody knows how, may fit. */
  mayFit(known: string): boolean;
}

/**
 * How patterns fit a line of a shell: `npm run test` as it stands, `npm run:*` and `npm run *` with anything behind it, `git * main` with
 * anything between. Every command of the line has to fit one of them for `all`, and the line has to be understood as a whole.
 */
export function matchCommand(patterns: readonly string[], line: string): RuleMatch {
  const { commands, understood } = parseShell(line);
  const tests = patterns.map(createPattern);
  const matches = commands.map((command) => matchOne(tests, command));
  if (understood && matches.length > 0 && matches.every((one) => one === 'all')) return 'all';
  if (matches.some((one) => one === 'all' || one === 'some')) return 'some';
  return !understood || matches.includes('unclear') ? 'unclear' : 'none';
}

function matchOne(patterns: readonly Pattern[], command: ShellCommand): RuleMatch {
  const { same, inside, hidden } = readingsOf(command);
  const covered = (words: readonly ShellWord[], key: 'raw' | 'text') => {
    const text = words.map((word) => word[key]).join(' ');
    return patterns.some(({ fits }) => fits(text));
  };
  const known = (words: readonly ShellWord[]) =>
    words.every((word) => word.known) && (words[0]?.raw === '[' || !/[*?[]/.test(words[0]?.raw ?? ''));
  if (command.plain && same.some((words) => covered(words, 'raw') && known(words))) return 'all';
  const all = [...same, ...inside];
  if (all.some((words) => covered(words, 'raw') || covered(words, 'text') || covered(withoutPath(words), 'text')))
    return 'some';
  const unknown = all.some((words) => !known(words) && patterns.some(({ mayFit }) => mayFit(knownPart(words))));
  return hidden || unknown ? 'unclear' : 'none';
}

function createPattern(pattern: string): Pattern {
  // Behind a space or a colon the last star stands for further words, or for none.
  const [, begin] = /^(.*?)(?::| +)\*$/s.exec(pattern) ?? [];
  const whole = createWildcard(collapse(begin ?? pattern));
  const more = begin === undefined ? undefined : createWildcard(`${collapse(begin)} *`);
  const head = collapse(begin ?? pattern).split('*')[0] as string;
  return {
    fits: (text) => whole(text) || more?.(text) === true,
    mayFit: (known) => known.startsWith(head) || head.startsWith(known),
  };
}

function collapse(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

function knownPart(words: readonly ShellWord[]): string {
  const end = words.findIndex((word, place) => !word.known || (place === 0 && /[*?[]/.test(word.raw)));
  return words
    .slice(0, end < 0 ? undefined : end)
    .map(({ text }) => text)
    .join(' ');
}

/** `/bin/rm` is `rm`. */
function withoutPath([first, ...rest]: readonly ShellWord[]): readonly ShellWord[] {
  if (!first) return [];
  return [{ ...first, text: first.text.slice(first.text.lastIndexOf('/') + 1) }, ...rest];
}
