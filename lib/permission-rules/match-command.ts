import type { RuleEffect } from './action/tool-families.ts';
import { lookAtLine, type SeenCommand } from './look-at-line.ts';
import { isPlainName, namedInText, namesIn } from './named-in-text.ts';
import type { RuleMatch } from './rule-match.ts';
import { withoutFrontOptions } from './shell/front-options.ts';
import { lastRiskyWord } from './shell/risky-options.ts';
import { sameCommands } from './shell/same-command.ts';
import type { ShellWord } from './shell/shell-command.ts';
import { plainProgram, spelledElse, withoutFolder } from './spelled-else.ts';
import { createWildcard } from './wildcard.ts';

interface Pattern {
  /** The first word of all matching texts; absent if there may be several. */
  readonly word: string | undefined;
  /** The text before the first star. */
  readonly head: string;
  /** The name to search in texts, if it is a plain one. */
  readonly name: string | undefined;
  matches(text: string): boolean;
  /** Returns whether a text with this beginning and an unknown rest may match. */
  mayFit(known: string): boolean;
  /** Returns whether a text that another program may run contains such a command, in one of its readings. */
  namedIn(readings: readonly string[]): boolean;
  /** Returns whether words name the program and then, after its options, the rest of the pattern. */
  behindOptions(words: readonly ShellWord[]): boolean;
  /** Returns whether words name the program by another path, or its options in another place, order or cluster. */
  spelledElse(words: readonly ShellWord[]): boolean;
  /** Returns whether file names in the place of globs may make the words match the pattern. */
  mayBecome(words: readonly ShellWord[]): boolean;
}

/**
 * Returns how patterns match a shell line: `npm run test` exactly, `npm run:*` and `npm run *` with any words after it, `git * main` with any words between.
 * For `all`, every command of the line must match one of them, and the whole line must be understood. `effect`: allow rules ignore other commands that a
 * command may run.
 */
export function commandMatcher(
  patterns: readonly string[],
  effect: RuleEffect = 'refuse',
): (line: string) => RuleMatch {
  const tests = createPatterns(patterns);
  return (line) => {
    const seen = lookAtLine(line);
    const { commands, understood, complete } = seen;
    const matches = commands.map((command) => matchOne(tests, command, effect));
    if (understood && matches.length > 0 && matches.every((one) => one === 'all')) return 'all';
    if (matches.some((one) => one === 'all' || one === 'some')) return 'some';
    if (!complete || matches.includes('unclear')) return 'unclear';
    if (effect === 'allow') return 'none';
    return seen.renamed?.every((command) => matchOne(tests, command, effect) === 'none') ? 'none' : 'unclear';
  };
}

function matchOne(patterns: Patterns, seen: SeenCommand, effect: RuleEffect): RuleMatch {
  const { same, inside, hidden, alone } = seen.readings;
  const known = (words: readonly ShellWord[]) => words.every((word) => word.known) && !isGlob(words[0]);
  /** Parts that a rule must contain without a wildcard: a wrapper with its program, options that write or run, and all words if other programs may run. */
  const namedIn = (words: readonly ShellWord[]) => {
    if (!alone) return textOf(words, 'raw');
    const last = same.at(-1) ?? [];
    const before = words.length - last.length;
    const risky = lastRiskyWord(last);
    return textOf(words.slice(0, risky >= 0 ? before + risky + 1 : before > 0 ? before + 1 : 0), 'raw');
  };
  const covers = (words: readonly ShellWord[], as: 'raw' | 'text', names?: typeof namedIn) =>
    patterns.mention(words[0]?.[as] ?? '') && patterns.cover(textOf(words, as), names?.(words));
  if (seen.command.plain && same.some((words) => known(words) && covers(words, 'raw', namedIn))) return 'all';
  const all = [...same, ...inside];
  if (all.some((words) => covers(words, 'raw') || covers(words, 'text') || covers(withoutPath(words), 'text')))
    return 'some';
  if (effect === 'allow') return 'none';
  const mayBe = (words: readonly ShellWord[]) =>
    (!known(words) && patterns.mayCover(knownPart(words))) || patterns.mayBecome(words);
  const unknown = [...all, ...all.map(withoutPath)].some(
    (words) => mayBe(words) || (withoutFrontOptions(words)?.some(mayBe) ?? patterns.mayCover(words[0]?.text ?? '')),
  );
  const others = [...all, ...all.flatMap((words) => withoutFrontOptions(words) ?? [])].flatMap(sameCommands);
  if (others.some((words) => covers(words, 'text'))) return 'unclear';
  return hidden || unknown || patterns.mayRunIn(seen.mayRun, [...all, ...others]) ? 'unclear' : 'none';
}

function textOf(words: readonly ShellWord[], as: 'raw' | 'text'): string {
  return words.map((word) => word[as]).join(' ');
}

/** Up to this number of patterns, searching for each costs less than finding all names in a text. */
const FEW = 8;

interface Patterns {
  /** Returns whether one of them may match a text with this first word. For the others, a long text need not be created. */
  mention(word: string): boolean;
  /** Returns whether one of them matches a text and contains this part of it without a wildcard. */
  cover(text: string, prefix?: string): boolean;
  mayCover(known: string): boolean;
  mayBecome(words: readonly ShellWord[]): boolean;
  /** Returns whether the texts that a command may run contain a match, or one of its readings does after options. */
  mayRunIn(texts: readonly string[], readings: readonly (readonly ShellWord[])[]): boolean;
}

/** Most patterns contain the whole first word: only those with the same one are tried. */
function createPatterns(texts: readonly string[]): Patterns {
  const all = texts.map(createPattern);
  const byWord = new Map<string, Pattern[]>();
  const others: Pattern[] = [];
  const byName = new Map<string, Pattern[]>();
  const unnamed: Pattern[] = [];
  for (const pattern of all) {
    const { name } = pattern;
    if (name === undefined) unnamed.push(pattern);
    else byName.set(name, [...(byName.get(name) ?? []), pattern]);
    if (pattern.word === undefined) others.push(pattern);
    else byWord.set(pattern.word, [...(byWord.get(pattern.word) ?? []), pattern]);
  }
  return {
    mention: (word) => others.length > 0 || byWord.has(firstWord(word)),
    cover(text, prefix = '') {
      const matches = (one: Pattern) => one.head.startsWith(prefix) && one.matches(text);
      return byWord.get(firstWord(text))?.some(matches) || others.some(matches);
    },
    mayCover: (known) => all.some(({ mayFit }) => mayFit(known)),
    mayBecome: (words) => words.some(({ glob }) => glob) && all.some(({ mayBecome }) => mayBecome(words)),
    mayRunIn(texts, readings) {
      const programs = readings.flatMap(([program]) => (program ? [withoutFolder(program.text)] : []));
      const names = all.length <= FEW ? byName.keys() : new Set([...namesIn(texts), ...programs]);
      const tried = [...names].flatMap((name) => byName.get(name) ?? []);
      return [...tried, ...unnamed].some(
        ({ namedIn, behindOptions, spelledElse }) =>
          namedIn(texts) || readings.some((one) => behindOptions(one) || spelledElse(one)),
      );
    },
  };
}

function createPattern(pattern: string): Pattern {
  // After a space or a colon, the last star matches further words or none.
  const [, begin] = /^(.*?)(?::| +)\*$/s.exec(pattern) ?? [];
  const whole = createWildcard(collapse(begin ?? pattern));
  const more = begin === undefined ? undefined : createWildcard(`${collapse(begin)} *`);
  const [head = '', ...tail] = collapse(begin ?? pattern).split('*');
  const first = firstWord(head);
  const words = head.split(' ').filter(Boolean);
  const parts = [plainProgram(words[0] ?? ''), ...words.slice(1), ...tail.map((part) => part.trim())].filter(Boolean);
  const isClosed = tail.length === 0 || head.endsWith(' ');
  const ends = collapse(begin ?? pattern) === first || head.startsWith(`${first} `);
  return {
    word: ends && first !== '' ? first : undefined,
    head,
    name: parts[0] !== undefined && isPlainName(parts[0]) ? parts[0] : undefined,
    matches: (text) => whole(text) || more?.(text) === true,
    mayFit: (known) => known.startsWith(head) || head.startsWith(known),
    namedIn: namedInText(parts),
    behindOptions: ([program, option, ...others]) =>
      words.length > 1 &&
      program !== undefined &&
      withoutFolder(program.text) === words[0] &&
      option?.text.startsWith('-') === true &&
      words.slice(1).every((word) => others.some(({ text }) => text === word)),
    spelledElse: spelledElse(collapse(begin ?? pattern).split(' ')),
    mayBecome: (given) =>
      words.length > 1 &&
      words.length <= given.length &&
      words.every((word, at) => mayBeWord(given[at] as ShellWord, word, isClosed || at < words.length - 1)),
  };
}

function firstWord(text: string): string {
  return text.split(' ', 1)[0] as string;
}

function collapse(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** A lone bracket is a program. */
function isGlob(word: ShellWord | undefined): boolean {
  return word?.glob === true && word.raw !== '[';
}

/** Returns whether a word matches a pattern, or a file name in the place of its glob may. `whole`: the pattern contains the whole word. */
function mayBeWord({ text, glob }: ShellWord, wanted: string, whole: boolean): boolean {
  if (!glob) return whole ? text === wanted : text.startsWith(wanted);
  const [before = ''] = text.split(/[*?[]/);
  const after = whole ? (/[^*?\]]*$/.exec(text)?.[0] ?? '') : '';
  return (wanted.startsWith(before) || (!whole && before.startsWith(wanted))) && wanted.endsWith(after);
}

function knownPart(words: readonly ShellWord[]): string {
  const end = words.findIndex((word, place) => !word.known || (place === 0 && isGlob(word)));
  return words
    .slice(0, end < 0 ? undefined : end)
    .map(({ text }) => text)
    .join(' ');
}

/** `/bin/rm` is `rm`. */
function withoutPath(words: readonly ShellWord[]): readonly ShellWord[] {
  const [first] = words;
  if (!first?.text.includes('/')) return words;
  return [{ ...first, text: withoutFolder(first.text) }, ...words.slice(1)];
}
