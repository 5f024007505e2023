import { resolve } from 'node:path';
import { withKnown } from '../danger/commands-of.ts';
import type { RulePlace } from '../match-path.ts';

/** The maximum number of folders that a line may enter. */
const MOST_FOLDERS = 20;
/** The maximum number of letters of a cluster of options, whose value may follow: `-fsSLofile`. */
const MOST_LETTERS = 6;
/** Words before the name of a folder in which programs then run. */
const ENTERS = /^(?:cd|pushd|chdir|sl|set-location|push-location|-C|--directory|--cwd|--prefix|--chdir|--work-tree)$/i;
const ENTERED = /^(?:--directory|--cwd|--prefix|--chdir|--work-tree)=(.+)$/;
/** What separates the words of a text without quotes. */
export const SEPARATORS = /[\s;&|<>()`]+/;
/** Separators in a word: options with values, lists, source code. */
const INNER = /[=,:[\]{}]+/;
/** A variable, the output of a command, or the place that `xargs` and `find` fill. */
export const VARIABLE = /\$\{?\w+\}?|\$\([^)]*\)|\{\}/g;

/** Returns a line as POSIX shells and PowerShell read it, with the values of known variables. */
export function lineReadings(line: string, place: RulePlace): ReadonlySet<string> {
  // PowerShell escapes with backticks and separates folders with backslashes.
  const unescaped = line.replaceAll('`', '');
  const texts = [line, unescaped, line.replaceAll('\\', '/'), unescaped.replaceAll('\\', '/')];
  return new Set(texts.map((one) => expanded(one, place)));
}

/** Returns a line without quotes and escapes. */
export function bareLine(line: string): string {
  return line.replace(/\\\r?\n/g, '').replace(/["'\\]/g, '');
}

/** Returns a bare line whose parts of paths are joined as source code joins them: `'.claude' + '/a'`, `join('.claude', 'a')`. */
export function joinedLine(bare: string): string {
  return bare.replace(/\s+/g, ' ').replace(/ ?[/+,][ +,/]*/g, '/');
}

/** Returns a word and the parts of it that may be paths: the value of an option, an item of a list. */
export function partsOf(word: string): readonly string[] {
  const behind = /^-\w/.test(word) ? Array.from({ length: MOST_LETTERS }, (_, nth) => word.slice(nth + 2)) : [];
  return [word, ...word.split(INNER), ...behind];
}

/** Returns all folders in which a word of the line may be meant; the first one is the working directory. */
export function foldersOf(words: readonly string[], { cwd, home }: RulePlace) {
  const folders = new Set([cwd]);
  let isUnknown = false;
  // Without a word after it, `cd` enters the home folder.
  if (words.some((word) => /^(?:cd|pushd|sl|set-location)$/i.test(word))) folders.add(home);
  for (const [nth, word] of words.entries()) {
    const isOption = (one: string | undefined) => /^-(?:[A-Za-z]|-|-?path)$/i.test(one ?? '');
    const before = isOption(words[nth - 1]) && !ENTERS.test(words[nth - 1] ?? '') ? words[nth - 2] : words[nth - 1];
    const entered = ENTERED.exec(word)?.[1] ?? (ENTERS.test(before ?? '') ? word : undefined);
    if (entered === undefined || isOption(entered)) continue;
    if (/[$%`*?[{]|^-$/.test(entered) || folders.size >= MOST_FOLDERS) isUnknown = true;
    else for (const folder of [...folders]) folders.add(resolve(folder, entered.replace(/^~(?=\/|$)/, home)));
  }
  return { folders: [...folders], isUnknown };
}

const HOME = /\$\{?(?:HOME|env:HOME|env:USERPROFILE)\b\}?|%USERPROFILE%/gi;
const WORKING =
  /\$\{?(?:PWD|OLDPWD|CLAUDE_PROJECT_DIR|GEMINI_PROJECT_DIR|GEMINI_CWD|CURSOR_PROJECT_DIR)\b\}?|\$\(\s*pwd\s*\)|`\s*pwd\s*`/g;
/** A text with escapes that bash decodes. */
const ANSI = /\$'((?:[^'\\]|\\.)*)'/gs;

/** Returns a line with the values of variables that are known. */
function expanded(line: string, { cwd, home }: RulePlace): string {
  const decoded = line.replace(ANSI, (_, text: string) =>
    text.replace(/\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|([0-7]{1,3}))/gi, (_whole, hex, wide, octal) =>
      String.fromCharCode(Number.parseInt(hex ?? wide ?? octal, octal === undefined ? 16 : 8)),
    ),
  );
  return withKnown(decoded.replace(HOME, () => home).replace(WORKING, () => cwd)).replace(/\$\{?IFS\}?/g, ' ');
}
