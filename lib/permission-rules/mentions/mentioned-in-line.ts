import { resolve } from 'node:path';
import { commandsOf, withKnown } from '../danger/commands-of.ts';
import type { DiskView } from '../disk-view.ts';
import { LONGEST_PATH } from '../fields/path-shapes.ts';
import type { RulePlace } from '../match-path.ts';
import type { KeptPlaces } from './kept-places.ts';
import { finds, isMoved } from './moved-places.ts';

/** The maximum number of words that are looked up on the disk, and of folders that a line may enter. */
const MOST_WORDS = 5_000;
const MOST_FOLDERS = 20;
/** The maximum number of letters of a cluster of options, whose value may follow: `-fsSLofile`. */
const MOST_LETTERS = 6;
/** Words before the name of a folder in which programs then run. */
const ENTERS = /^(?:cd|pushd|chdir|sl|set-location|push-location|-C|--directory|--cwd|--prefix|--chdir|--work-tree)$/i;
const ENTERED = /^(?:--directory|--cwd|--prefix|--chdir|--work-tree)=(.+)$/;
const SEPARATORS = /[\s;&|<>()`]+/;
/** Separators in a word: options with values, lists, source code. */
const INNER = /[=,:[\]{}]+/;
/** A variable, the output of a command, or the place that `xargs` and `find` fill. */
const VARIABLE = /\$\{?\w+\}?|\$\([^)]*\)|\{\}/g;

/** Returns whether a shell line mentions a kept place: as a text, as a word in any folder that it enters, as a glob, or as a part of a folder that it moves. */
export function isMentionedInLine(line: string, kept: KeptPlaces, place: RulePlace, disk: DiskView): boolean {
  // PowerShell escapes with backticks and separates folders with backslashes.
  const unescaped = line.replaceAll('`', '');
  const texts = [line, unescaped, line.replaceAll('\\', '/'), unescaped.replaceAll('\\', '/')];
  const readings = new Set(texts.map((one) => expanded(one, place)));
  return [...readings].some((one) => isInReading(one, kept, place, disk));
}

function isInReading(line: string, kept: KeptPlaces, place: RulePlace, disk: DiskView): boolean {
  const bare = line.replace(/\\\r?\n/g, '').replace(/["'\\]/g, '');
  // Source code joins the parts of a path: `'.claude' + '/a'`, `join('.claude', 'a')`.
  if (
    [bare, bare.replace(/\s+/g, ' ').replace(/ ?[/+,][ +,/]*/g, '/')].some((one) =>
      kept.isIn(one.replace(/\/(?:\.?\/)+/g, '/')),
    )
  )
    return true;
  const commands = commandsOf(line);
  // Words of the text, such as those after redirections, and words with blanks.
  const words = [...bare.split(SEPARATORS).filter(Boolean), ...commands.flatMap((command) => command.words)];
  const { folders, isUnknown } = foldersOf(words, place);
  const isAnywhere = isUnknown || commands.some(finds);
  const at = (word: string) => folders.map((folder) => resolve(folder, word.replace(/^~(?=\/|$)/, place.home)));
  const all = new Set(words.flatMap(partsOf).filter((word) => word !== '' && word.length <= LONGEST_PATH));
  const isLong = all.size > MOST_WORDS;
  for (const word of all) {
    if (isLong && !kept.isLike(word)) continue;
    if (at(word).some((path) => kept.isAt(path, isLong ? withoutDisk : disk))) return true;
    const rest = /[$%)}]/.test(word) ? word.replace(/^.*[$%](?:\w+:)?\w*|^.*[)}]/s, '') : isAnywhere ? word : '';
    if (rest !== '' && kept.endsWith(rest)) return true;
    const glob = word.replace(VARIABLE, '*');
    // Any name of the working directory: only commands that remove or move it matter.
    const searched = /\w/.test(glob) ? folders : folders.slice(1);
    if (/[*?[{]/.test(glob) && searched.some((folder) => kept.meets(glob, folder))) return true;
  }
  return commands.some((command) => isMoved(command, { at, isAnywhere, kept, place, disk }));
}

/** Returns a word and the parts of it that may be paths: the value of an option, an item of a list. */
function partsOf(word: string): readonly string[] {
  const behind = /^-\w/.test(word) ? Array.from({ length: MOST_LETTERS }, (_, nth) => word.slice(nth + 2)) : [];
  return [word, ...word.split(INNER), ...behind];
}

/** Returns all folders in which a word of the line may be meant. */
function foldersOf(words: readonly string[], { cwd, home }: RulePlace) {
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

/** For lines with too many words: their texts are compared, but links are not resolved. */
const withoutDisk: DiskView = { realOf: (path) => path, exists: () => false, entriesOf: () => undefined };
