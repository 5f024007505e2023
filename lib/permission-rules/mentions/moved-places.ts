import { basename, resolve } from 'node:path';
import type { RunCommand } from '../danger/commands-of.ts';
import type { DiskView } from '../disk-view.ts';
import type { RulePlace } from '../match-path.ts';
import type { KeptPlaces } from './kept-places.ts';

/** Programs that move, remove or replace the folder that they name, and programs that lock it. */
const MOVES =
  /^(?:rm|rmdir|unlink|shred|srm|trash|mv|ln|rimraf|del|erase|rd|ri|ren|move|remove-item|move-item|rename-item|git (?:rm|mv))$/;
const LOCKS = /^(?:chmod|chown|chgrp|chattr|setfacl|icacls|git (?:checkout|restore|clean|stash|reset))$/;
/** Programs whose last word is a folder or a file that they write. */
const COPIES = /^(?:cp|mv|ln|install|rsync|scp|copy|move|copy-item|move-item|git mv)$/;
const FINDS = /^(?:find|fd|fdfind)$/;
/** What `find` does with the files, and how it selects them by name. */
const ACTS = /^-(?:delete|exec|execdir|ok|okdir|fprint0?|fls|x|X)$/;
const SELECTS = /^-(?:i?(?:name|path|wholename|regex|lname)|samefile|newer.*|inum)$/;
const GLOB = /[*?[{]/;

/** The folders in which a command runs, and the places to keep. */
export interface Around {
  /** Returns the absolute paths that a word may name. */
  readonly at: (word: string) => readonly string[];
  /** Whether it may run in other folders, too. */
  readonly isAnywhere: boolean;
  readonly kept: KeptPlaces;
  readonly place: RulePlace;
  readonly disk: DiskView;
}

/** Returns whether a command searches folders for files by their names. */
export const finds = ({ name }: RunCommand): boolean => FINDS.test(name);

/** Returns whether a command moves, removes or replaces a folder with a kept place, or copies a file to one. */
export function isMoved(command: RunCommand, around: Around): boolean {
  const { name, words } = withSubcommand(command);
  const { at, kept, disk } = around;
  const given = words.filter((word) => !word.startsWith('-'));
  const target = words.find((_, nth) => /^(?:-t|--target-directory)$/.test(words[nth - 1] ?? '')) ?? given.at(-1);
  const sources = given.filter((word) => word !== target);
  if (COPIES.test(name) && target !== undefined) {
    const copies = sources.flatMap((source) => at(target).map((folder) => resolve(folder, basename(source))));
    if (copies.some((path) => kept.isAt(path, disk) || isClose(path, around))) return true;
    // The content of a folder of unknown files.
    const isWhole = sources.some((source) => /(?:^|\/)(?:\.?|\*+)$/.test(source));
    if (isWhole && at(target).some((path) => isClose(path, around))) return true;
  }
  // `xargs` adds the words that it reads.
  const read = command.read
    .replace(/["'\\]/g, '')
    .split(/\s+/)
    .filter(Boolean);
  const moved = [...(/mv$|^move/.test(name) ? sources : given), ...read];
  if (MOVES.test(name) && moved.some((word) => holds(word, around))) return true;
  if (LOCKS.test(name)) return given.some((word) => at(word).some((path) => isClose(path, around)));
  if (!FINDS.test(name) || !words.some((word) => ACTS.test(word)) || words.some((word) => SELECTS.test(word)))
    return false;
  return ['.', ...given].some((word) => at(word).some((path) => kept.isBelow(path, disk)));
}

/** Returns `git mv` as the name of such a command. */
export function withSubcommand({ name, words: [, ...rest] }: RunCommand): Pick<RunCommand, 'name' | 'words'> {
  const plain = name.replace(/\.exe$/, '');
  if (plain !== 'git') return { name: plain, words: rest };
  const at = rest.findIndex((word, nth) => !word.startsWith('-') && !/^-[Cc]$/.test(rest[nth - 1] ?? ''));
  return at < 0 ? { name: plain, words: rest } : { name: `git ${rest[at]}`, words: rest.slice(at + 1) };
}

/** Returns whether a word names a folder with a kept place, or is a glob that names one or such a place. */
function holds(word: string, { at, isAnywhere, kept, disk }: Around): boolean {
  const inside = `${word.replace(/\/+$/, '')}/*`;
  if (!GLOB.test(word))
    return at(word).some((path) => kept.isBelow(path, disk)) || (isAnywhere && kept.endsWith(inside));
  return at('.').some((folder) => kept.isBelowGlob(word, folder) || kept.meets(word, folder)) || kept.endsWith(inside);
}

/** Returns whether a folder holds a kept place and is neither the working directory, the home folder, nor above one. */
function isClose(path: string, { kept, place: { cwd, home }, disk }: Around): boolean {
  const isAbove = [cwd, home].some((one) => one === path || one.startsWith(path.replace(/\/?$/, '/')));
  return !isAbove && kept.isBelow(path, disk);
}
