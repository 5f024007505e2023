import { isPlainName, namedInText, namesIn, textReadings } from './named-in-text.ts';
import type { RuleMatch } from './rule-match.ts';
import { runsNoWord } from './shell/known-programs.ts';
import { parseShell } from './shell/parse-shell.ts';
import { type Readings, readingsOf } from './shell/readings.ts';
import { lastRiskyWord } from './shell/risky-options.ts';
import type { ShellCommand, ShellWord } from './shell/shell-command.ts';
import { createWildcard } from './wildcard.ts';

interface Pattern {
  /** The first word of all that fits; absent where it may be several. */
  readonly word: string | undefined;
  /** What stands in front of the first star. */
  readonly head: string;
  /** The name by which it is found in texts, if it is a plain one. */
  readonly name: string | undefined;
  fits(text: string): boolean;
  /** Whether a text that begins so, and goes on nobody knows how, may fit. */
  mayFit(known: string): boolean;
  /** Whether a text that another program may run, as it may be read, holds such a command. */
  namedIn(readings: readonly string[]): boolean;
  /** Whether words name the program and, behind options of its own, what else the pattern says. */
  behindOptions(words: readonly ShellWord[]): boolean;
}

/** The line that was looked at last: several lists of rules judge the same call. */
let seen: { readonly line: string; readonly understood: boolean; readonly commands: readonly Seen[] } | undefined;

interface Seen {
  readonly command: ShellCommand;
  readonly readings: Readings;
  /** What it reads, evaluates or hands to another program, as that may read it. */
  readonly mayRun: readonly string[];
}

function look(line: string) {
  if (seen?.line === line) return seen;
  const { commands, understood } = parseShell(line);
  seen = { line, understood, commands: commands.map(lookAt) };
  return seen;
}

function lookAt(command: ShellCommand): Seen {
  const { words, text, assigned, piped } = command;
  const texts = [assigned, ...(runsNoWord(words) ? [] : [text, piped])].filter((one) => one.trim() !== '');
  return { command, readings: readingsOf(command), mayRun: texts.flatMap(textReadings) };
}

/**
 * How patterns fit a line of a shell: `npm run test` as it stands, `npm run:*` and `npm run *` with anything behind it, `git * main` with
 * anything between. Every command of the line has to fit one of them for `all`, and the line has to be understood as a whole.
 */
export function commandMatcher(patterns: readonly string[]): (line: string) => RuleMatch {
  const tests = createPatterns(patterns);
  return (line) => {
    const { commands, understood } = look(line);
    const matches = commands.map((command) => matchOne(tests, command));
    if (understood && matches.length > 0 && matches.every((one) => one === 'all')) return 'all';
    if (matches.some((one) => one === 'all' || one === 'some')) return 'some';
    return !understood || matches.includes('unclear') ? 'unclear' : 'none';
  };
}

function matchOne(patterns: Patterns, { command, readings, mayRun }: Seen): RuleMatch {
  const { same, inside, hidden, alone } = readings;
  const known = (words: readonly ShellWord[]) => words.every((word) => word.known) && !isGlob(words[0]);
  const rawText = (words: readonly ShellWord[]) => words.map(({ raw }) => raw).join(' ');
  const plainText = (words: readonly ShellWord[]) => words.map(({ text }) => text).join(' ');
  /**
   * What a rule has to contain without a wildcard: a wrapper with its program, options that write or run, and all where other programs may run.
   */
  const said = (words: readonly ShellWord[]) => {
    if (!alone) return rawText(words);
    const last = same.at(-1) ?? [];
    const before = words.length - last.length;
    const risky = lastRiskyWord(last);
    return rawText(words.slice(0, risky >= 0 ? before + risky + 1 : before > 0 ? before + 1 : 0));
  };
  if (command.plain && same.some((words) => known(words) && patterns.cover(rawText(words), said(words)))) return 'all';
  const all = [...same, ...inside];
  const texts = all.flatMap((words) => [rawText(words), plainText(words), plainText(withoutPath(words))]);
  if ([...new Set(texts)].some((text) => patterns.cover(text))) return 'some';
  const unknown = all.some((words) => !known(words) && patterns.mayCover(knownPart(words)));
  return hidden || unknown || patterns.mayRunIn(mayRun, all) ? 'unclear' : 'none';
}

interface Patterns {
  /** Whether one of them fits a text, and says so much of it in so many words. */
  cover(text: string, said?: string): boolean;
  mayCover(known: string): boolean;
  /** Whether texts that a command may run hold what one of them matches, or a reading of it does behind options. */
  mayRunIn(texts: readonly string[], readings: readonly (readonly ShellWord[])[]): boolean;
}

/** Most patterns say the first word whole: only those that say the same one are tried. */
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
    cover(text, said = '') {
      const fits = (one: Pattern) => one.head.startsWith(said) && one.fits(text);
      return byWord.get(text.split(' ', 1)[0] as string)?.some(fits) || others.some(fits);
    },
    mayCover: (known) => all.some(({ mayFit }) => mayFit(known)),
    mayRunIn(texts, readings) {
      const programs = readings.flatMap(([program]) => (program ? [withoutFolder(program.text)] : []));
      const tried = [...new Set([...namesIn(texts), ...programs])].flatMap((name) => byName.get(name) ?? []);
      return [...tried, ...unnamed].some(
        ({ namedIn, behindOptions }) => namedIn(texts) || readings.some((one) => behindOptions(one)),
      );
    },
  };
}

function createPattern(pattern: string): Pattern {
  // Behind a space or a colon the last star stands for further words, or for none.
  const [, begin] = /^(.*?)(?::| +)\*$/s.exec(pattern) ?? [];
  const whole = createWildcard(collapse(begin ?? pattern));
  const more = begin === undefined ? undefined : createWildcard(`${collapse(begin)} *`);
  const [head = '', ...tail] = collapse(begin ?? pattern).split('*');
  const first = head.split(' ', 1)[0] as string;
  const words = head.split(' ').filter(Boolean);
  const parts = [...words, ...tail.map((part) => part.trim()).filter(Boolean)];
  const ends = collapse(begin ?? pattern) === first || head.startsWith(`${first} `);
  return {
    word: ends && first !== '' ? first : undefined,
    head,
    name: parts[0] !== undefined && isPlainName(parts[0]) ? parts[0] : undefined,
    fits: (text) => whole(text) || more?.(text) === true,
    mayFit: (known) => known.startsWith(head) || head.startsWith(known),
    namedIn: namedInText(parts),
    behindOptions: ([program, option, ...others]) =>
      words.length > 1 &&
      program !== undefined &&
      withoutFolder(program.text) === words[0] &&
      option?.text.startsWith('-') === true &&
      words.slice(1).every((word) => others.some(({ text }) => text === word)),
  };
}

function collapse(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** A lone bracket is a program. */
function isGlob(word: ShellWord | undefined): boolean {
  return word?.glob === true && word.raw !== '[';
}

function knownPart(words: readonly ShellWord[]): string {
  const end = words.findIndex((word, place) => !word.known || (place === 0 && isGlob(word)));
  return words
    .slice(0, end < 0 ? undefined : end)
    .map(({ text }) => text)
    .join(' ');
}

/** `/bin/rm` is `rm`. */
function withoutPath([first, ...rest]: readonly ShellWord[]): readonly ShellWord[] {
  if (!first) return [];
  return [{ ...first, text: withoutFolder(first.text) }, ...rest];
}

function withoutFolder(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}
