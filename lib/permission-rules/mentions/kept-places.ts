import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { DiskView } from '../disk-view.ts';
import { globTest } from '../glob-meets.ts';
import type { RulePlace } from '../match-path.ts';
import { readPathPattern } from '../path-pattern.ts';
import { createWildcard } from '../wildcard.ts';

/** Files and folders of a rule, and how texts of a call may lead to them. Letter case is ignored, as on the disks of macOS and Windows. */
export interface KeptPlaces {
  /** Returns whether an absolute path is one of them or below one, also through links. */
  isAt(path: string, disk: DiskView): boolean;
  /** Returns whether one of them is below an absolute path. */
  isBelow(path: string, disk: DiskView): boolean;
  /** Returns whether a relative path may name one of them in some folder. */
  endsWith(rest: string): boolean;
  /** Returns whether a glob may name one of them or a file below one. */
  meets(glob: string, folder: string): boolean;
  /** Returns whether a glob may name a folder above one of them. */
  isBelowGlob(glob: string, folder: string): boolean;
  /** Returns whether a word contains the name of one of them, or characters that stand for others. */
  isLike(word: string): boolean;
  /** Returns whether a text without quotes contains the end of such a path. */
  isIn(text: string): boolean;
}

/** Creates the tests for places that begin as path patterns do: `//`, `~/`, `/`, otherwise in the working directory. */
export function keptPlaces(names: readonly string[], place: RulePlace): KeptPlaces {
  const places = names.map((name) => placeOf(name, place));
  const kept = places.map((one) => one.toLowerCase());
  const meets = globTest(
    kept.map((one) => `/${one.replace(/[*?[\]!#\\ ]/g, '\\$&')}`),
    { ...place, root: sep },
  );
  const ends = kept.flatMap(
    (one) =>
      ending(
        one,
        [place.cwd, place.from ?? place.cwd, place.home].map((at) => at.toLowerCase()),
      ) ?? [],
  );
  const named = ends.map(
    (end) => new RegExp(`(?:^|[^\\w.-])${end.replace(/[.*+?^$\\{}()|[\]]/g, '\\$&')}(?![\\w-]|\\.\\w)`),
  );
  const both = (path: string, disk: DiskView) => [path.toLowerCase(), disk.realOf(path).toLowerCase()];
  /** The places as named, and those that links lead to. */
  const real = (disk: DiskView) => [...new Set([...kept, ...places.map((one) => disk.realOf(one).toLowerCase())])];
  return {
    isAt: (path, disk) => real(disk).some((one) => both(path, disk).some((given) => isWithin(one, given))),
    isBelow: (path, disk) =>
      real(disk).some((one) => both(path, disk).some((given) => one !== given && isWithin(given, one))),
    endsWith(rest) {
      const end = rest.toLowerCase().replace(/^(?:\.?\/)+/, '');
      if (end === '') return false;
      if (/[*?]/.test(end)) return kept.some((one) => createWildcard(`*/${end}`)(one));
      return kept.some((one) => one.endsWith(`/${end}`) || (one.includes(`/${end}/`) && end.includes('/')));
    },
    meets: (glob, folder) => meets(resolve(folder, glob).toLowerCase()),
    isBelowGlob(glob, folder) {
      if (glob.includes('**')) return true;
      const names = resolve(folder, glob.replace(/\{[^{}]*\}|\[[^\]]*\]|\?/g, '*'))
        .toLowerCase()
        .split(sep);
      return kept.some((one) => isAbove(names, one.split(sep)));
    },
    isLike: (word) => kept.some((one) => word.toLowerCase().includes(basename(one))) || /[*?[{$]/.test(word),
    isIn: (text) => named.some((end) => end.test(text.toLowerCase())),
  };
}

/** Returns whether names with wildcards name a folder above a path. */
function isAbove(names: readonly string[], path: readonly string[]): boolean {
  return names.length < path.length && names.every((name, at) => createWildcard(name)(path[at] as string));
}

function placeOf(name: string, { cwd, home, from = cwd, root = from }: RulePlace): string {
  const { start, up, own } = readPathPattern(name);
  return resolve({ '//': sep, '~/': home, '/': root, '': from }[start], '../'.repeat(up), own.replace(/^\//, ''));
}

/** Returns the last two names of a path; the last one alone if it is in a usual folder and not an ordinary word. */
function ending(path: string, usual: readonly string[]): string | undefined {
  const [name, folder] = [basename(path), dirname(path)];
  if (usual.includes(folder)) return name.includes('.') ? name : undefined;
  return folder === sep ? undefined : `${basename(folder)}/${name}`;
}

function isWithin(folder: string, path: string): boolean {
  return !/^\.\.(?:[\\/]|$)/.test(relative(folder, path));
}
