import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { commandsOf, type RunCommand } from '../danger/commands-of.ts';
import type { RulePlace } from '../match-path.ts';
import { foldersOf } from './line-words.ts';
import { finds, withSubcommand } from './moved-places.ts';

/** Programs that write the files that they name. */
const WRITES =
  /^(?:tee|sponge|touch|truncate|ed|ex|vi|vim|nvim|nano|emacs|(?:set|add|clear)-content|out-file|tee-object|new-item)$/;
/** Programs that remove, move or replace the files and folders that they name. */
const MOVES =
  /^(?:rm|rmdir|unlink|shred|srm|trash|rimraf|mv|move|del|erase|rd|ri|ren|git (?:checkout|restore|rm|mv|clean)|(?:remove|move|rename)-item)$/;
/** Programs whose last word is what they write. */
const COPIES = /^(?:cp|mv|ln|install|rsync|scp|copy|move|copy-item|move-item|git mv)$/;
const TARGET = /^(?:-t|--target-directory)$/;
const TARGET_IS = /^--target-directory=(.+)$/;
/** Options of `find` that select files by name. */
const SELECTS = /^-(?:i?(?:name|path|wholename|regex|lname)|samefile|newer.*|inum)$/;
const EDITS = /^(?:g?sed|perl|ruby|yq)$/;
const IN_PLACE = /^(?:-[a-z]*i|--in-?place)/i;
/** Options of formatters, which change the files that they name. */
const FORMATS = /^--(?:write|fix|in-?place)$/;
/** Programs with an option for the file that they write, and options of that name in any program. */
const DOWNLOADS = /^(?:curl|wget|sort|gcc|g\+\+|cc|clang|go|rustc|pandoc|invoke-webrequest|iwr)$/;
const OUTPUT = /^-(?:[a-z]*o|outfile)$/i;
const ANY_OUTPUT = /^(?:--output(?:-document|-file)?=|of=)(.+)$|^--output(?:-document|-file)?$/;
/** Options for the folder to which archives are extracted. */
const EXTRACTS: Readonly<Record<string, RegExp>> = { tar: /^(?:-C|--directory)$/, unzip: /^-d$/ };
const EXTRACTED = /^-?[a-z]*x|^--(?:extract|get)$/i;

/** What a shell line writes. */
export interface Written {
  /** A line with the paths of its redirections, and of the files that programs write. */
  readonly line: string;
  /** A line with the searches whose files it writes or removes. */
  readonly searches: string;
  /** Absolute paths of files and folders that programs remove, move or fill. */
  readonly folders: readonly string[];
}

/** Returns what a shell line writes. Best effort: programs that are not known here may write any file. */
export function writtenBy(line: string, place: RulePlace): Written {
  const commands = commandsOf(line);
  const isPiped = /\b(?:xargs|parallel)\b/.test(line);
  const entered = foldersOf(
    commands.flatMap((command) => command.words),
    place,
  );
  const isFolder = (word: string) =>
    word.endsWith('/') || entered.folders.some((folder) => isDirectory(fullPath(word, folder, place)));
  const written = commands.map((command) => wordsWritten(command, isPiped, isFolder));
  const moved = written.flatMap(({ moved }) => moved);
  const words = [...commands.flatMap((one) => one.written), ...written.flatMap(({ paths }) => paths), ...moved];
  const searches = commands.filter((one) => finds(one) && (words.includes('{}') || one.words.includes('-delete')));
  if (words.length === 0 && searches.length === 0) return { line: '', searches: '', folders: [] };
  const folders = [...entered.folders, ...(entered.isUnknown ? ['$PWD'] : [])];
  const paths = new Set(folders.flatMap((folder) => words.map((word) => inFolder(word, folder))));
  const places = [...moved, ...searches.flatMap((command) => command.words.slice(1, 2))].filter(isPlain);
  return {
    line: lineOf([':', ...paths]),
    searches: searches.map((one) => lineOf(searchOf(one))).join('; '),
    folders: entered.folders.flatMap((folder) => places.map((word) => fullPath(word, folder, place))),
  };
}

const lineOf = (words: readonly string[]): string => words.map(quoted).join(' ');

const isPlain = (word: string): boolean => !/[*?[{$%]/.test(word);

const fullPath = (word: string, folder: string, { home }: RulePlace): string =>
  resolve(folder, word.replace(/^~(?=\/|$)/, home));

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const inFolder = (path: string, folder: string): string =>
  /^(?:[/~$%]|[a-z]:)/i.test(path) ? path : `${folder}/${path}`;

/** Returns a search with the files that it finds, if it does not select them by name. */
function searchOf({ words }: RunCommand): readonly string[] {
  return words.some((word) => SELECTS.test(word)) ? words : [...words, `${(words[1] ?? '.').replace(/\/+$/, '')}/*`];
}

/** `moved`: files and folders. */
function wordsWritten(
  command: RunCommand,
  isPiped: boolean,
  isFolder: (word: string) => boolean,
): Record<'paths' | 'moved', readonly string[]> {
  const { name, words } = withSubcommand(command);
  const given = words.filter((word) => !word.startsWith('-'));
  // `xargs` adds the words that it reads.
  const all = isPiped ? [...given, ...command.read.split(/\s+/).filter(Boolean)] : given;
  const after = (option: RegExp) => words.filter((_, nth) => option.test(words[nth - 1] ?? ''));
  const isEdit = EDITS.test(name) && words.some((word) => IN_PLACE.test(word));
  const isFormat = words.some((word) => FORMATS.test(word));
  const isExtract = Object.hasOwn(EXTRACTS, name) && (name !== 'tar' || words.some((word) => EXTRACTED.test(word)));
  return {
    paths: [
      ...words.flatMap((word) => ANY_OUTPUT.exec(word)?.[1] ?? []),
      ...after(ANY_OUTPUT),
      ...(DOWNLOADS.test(name) ? after(OUTPUT) : []),
      ...(isEdit || isFormat || WRITES.test(name) ? all : []),
      ...(COPIES.test(name) ? copiesOf(given, after(TARGET)[0] ?? valueAfter(words, TARGET_IS), isFolder) : []),
    ],
    moved: [...(MOVES.test(name) ? all : []), ...(isExtract ? after(EXTRACTS[name] as RegExp) : [])],
  };
}

const valueAfter = (words: readonly string[], option: RegExp): string | undefined =>
  words.flatMap((word) => option.exec(word)?.[1] ?? [])[0];

/** Returns the target of copies, and the copies if it is a folder. */
function copiesOf(
  given: readonly string[],
  option: string | undefined,
  isFolder: (word: string) => boolean,
): readonly string[] {
  const target = option ?? given.at(-1);
  if (target === undefined) return [];
  const sources = given.filter((word) => word !== target);
  if (option === undefined && sources.length < 2 && !isFolder(target)) return [target];
  return [target, ...sources.map((source) => `${target}/${basename(source)}`)];
}

/** The word as one word of a line. */
const quoted = (word: string): string => (/[\s;&|<>()`"'\\]/.test(word) ? `'${word.replaceAll("'", '')}'` : word);
