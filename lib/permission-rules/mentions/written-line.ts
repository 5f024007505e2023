import { basename } from 'node:path';
import { commandsOf, type RunCommand } from '../danger/commands-of.ts';
import type { RulePlace } from '../match-path.ts';
import { foldersOf } from './line-words.ts';
import { finds, withSubcommand } from './moved-places.ts';

/** Programs that write, move or remove the files and folders that they name. */
const WRITES =
  /^(?:tee|sponge|touch|truncate|rm|rmdir|unlink|shred|srm|trash|rimraf|mv|move|del|erase|rd|ri|ren|ed|ex|vi|vim|nvim|nano|emacs|git (?:checkout|restore|rm|mv|clean)|(?:set|add|clear)-content|out-file|tee-object|(?:new|remove|move|rename)-item)$/;
/** Programs whose last word is what they write. */
const COPIES = /^(?:cp|mv|ln|install|rsync|scp|copy|move|copy-item|move-item|git mv)$/;
const TARGET = /^(?:-t|--target-directory)$/;
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

/**
 * Returns a line with the paths that a shell line writes: its redirections, and the files that programs write or remove. Best effort: programs that are not
 * known here may write any file.
 */
export function writtenLine(line: string, place: RulePlace): string {
  const commands = commandsOf(line);
  const isPiped = /\b(?:xargs|parallel)\b/.test(line);
  const written = commands.flatMap((command) => [...command.written, ...wordsWritten(command, isPiped)]);
  if (written.length === 0) return '';
  const entered = foldersOf(
    commands.flatMap(({ words }) => words),
    place,
  );
  const folders = [...entered.folders, ...(entered.isUnknown ? ['$PWD'] : [])];
  const paths = new Set(folders.flatMap((folder) => written.map((word) => inFolder(word, folder))));
  const searches = commands.filter((one) => finds(one) && (written.includes('{}') || one.words.includes('-delete')));
  const found = searches.map(({ words }) => [...words, inside(words[1])]);
  return [[':', ...paths], ...found].map((words) => words.map(quoted).join(' ')).join('; ');
}

const inFolder = (path: string, folder: string): string =>
  /^(?:[/~$%]|[a-z]:)/i.test(path) ? path : `${folder}/${path}`;

function wordsWritten(command: RunCommand, isPiped: boolean): readonly string[] {
  const { name, words } = withSubcommand(command);
  const given = words.filter((word) => !word.startsWith('-'));
  const after = (option: RegExp) => words.filter((_, nth) => option.test(words[nth - 1] ?? ''));
  const found = [...words.flatMap((word) => ANY_OUTPUT.exec(word)?.[1] ?? []), ...after(ANY_OUTPUT)];
  if (DOWNLOADS.test(name)) found.push(...after(OUTPUT));
  if (Object.hasOwn(EXTRACTS, name) && (name !== 'tar' || words.some((word) => EXTRACTED.test(word))))
    found.push(...after(EXTRACTS[name] as RegExp).map(inside));
  if ((EDITS.test(name) && words.some((word) => IN_PLACE.test(word))) || words.some((word) => FORMATS.test(word)))
    found.push(...given);
  if (name === 'find' && words.includes('-delete')) found.push(inside(words[0]));
  if (WRITES.test(name)) {
    // `xargs` adds the words that it reads.
    const all = isPiped ? [...given, ...command.read.split(/\s+/)] : given;
    found.push(...all, ...all.map(inside));
  }
  if (!COPIES.test(name)) return found;
  const target =
    after(TARGET)[0] ?? words.find((word) => /^--target-directory=/.test(word))?.split('=')[1] ?? given.at(-1);
  if (target === undefined) return found;
  const copies = given.filter((word) => word !== target).map((source) => `${target}/${basename(source)}`);
  return [...found, target, ...copies];
}

/** Returns all files of a folder; the word itself if it is a glob. */
const inside = (word = '.'): string => (/[*?[{]/.test(word) ? word : `${word.replace(/\/+$/, '')}/*`);

/** The word as one word of a line. */
const quoted = (word: string): string => (/[\s;&|<>()`"'\\]/.test(word) ? `'${word.replaceAll("'", '')}'` : word);
