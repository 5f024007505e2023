import { type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { type Stamp, sameStamp, stampOf } from '../files/stamp.ts';
import { staysIn } from '../files/stays-in.ts';
import { createPause } from './create-pause.ts';
import type { FolderSettings } from './rag-options.ts';

export interface FoundFile extends Stamp {
  /** Relative to the folder, with `/`. */
  readonly path: string;
}

/** The reason why an entry of a folder is skipped. */
export type SkipReason = 'ignored' | 'link' | 'special' | 'tooLarge' | 'unreadable' | 'tooMany' | 'binary';

/** A cached `.gitignore`. */
export interface IgnoreFile extends Stamp {
  readonly text: string;
}

export interface Walked {
  readonly files: readonly FoundFile[];
  readonly skipped: readonly { readonly path: string; readonly reason: SkipReason }[];
  readonly ignores: ReadonlyMap<string, IgnoreFile>;
}

interface Level {
  /** Relative to the root; empty for the root itself. */
  readonly path: string;
  /** The active patterns, the nearest first. */
  readonly rules: readonly { readonly base: string; readonly patterns: Ignore }[];
}

/** The real root to walk, and the excluded folder in it. */
export interface WalkPlace {
  readonly root: string;
  /** The real path of the hooks' own files, which is skipped. */
  readonly own?: string | undefined;
}

const GITIGNORE = '.gitignore';
const matcher = () => ignore({ ignorecase: false });

/** Finds the files of a folder. It reads only `.gitignore` files, and only those that differ from `known`. */
export async function walkFolder(
  { root, own }: WalkPlace,
  {
    include,
    exclude,
    maxFiles,
    maxFileBytes,
  }: Pick<FolderSettings, 'include' | 'exclude' | 'maxFiles' | 'maxFileBytes'>,
  known: ReadonlyMap<string, IgnoreFile>,
): Promise<Walked> {
  const files: FoundFile[] = [];
  const skipped: { path: string; reason: SkipReason }[] = [];
  const ignores = new Map<string, IgnoreFile>();
  const wanted = include.length > 0 ? matcher().add(include) : undefined;
  const unwanted = matcher().add(exclude);
  const pause = createPause();
  const skip = (path: string, reason: SkipReason) => void skipped.push({ path, reason });

  function visit(entry: Dirent, level: Level): Level | undefined {
    const path = level.path === '' ? entry.name : `${level.path}/${entry.name}`;
    const real = join(root, path);
    if (real === own) return undefined;
    if (isIgnored(path, entry.isDirectory(), level.rules) || unwanted.ignores(entry.isDirectory() ? `${path}/` : path))
      return void skip(path, 'ignored');
    if (entry.isSymbolicLink()) return !staysIn(root, real) ? void skip(path, 'link') : undefined;
    if (entry.isDirectory()) return { path, rules: level.rules };
    if (!entry.isFile()) return void skip(path, 'special');
    if (wanted && !wanted.ignores(path)) return undefined;
    const stats = lstatSync(real, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (stats.size > maxFileBytes) skip(path, 'tooLarge');
    else if (files.length >= maxFiles) skip(path, 'tooMany');
    else files.push({ path, ...stampOf(stats) });
    return undefined;
  }

  /** Adds the patterns of the level's own `.gitignore`. */
  function enter(level: Level, entries: readonly Dirent[]): Level {
    if (!entries.some((entry) => entry.name === GITIGNORE && entry.isFile())) return level;
    const path = join(level.path, GITIGNORE);
    const stamp = stampOf(lstatSync(join(root, path)));
    const before = known.get(path);
    const text = before && sameStamp(before, stamp) ? before.text : readFileSync(join(root, path), 'utf8');
    ignores.set(path, { ...stamp, text });
    return { ...level, rules: [{ base: level.path, patterns: matcher().add(text) }, ...level.rules] };
  }

  const levels: Level[] = [{ path: '', rules: [] }];
  for (const found of levels) {
    try {
      const entries = readdirSync(join(root, found.path), { withFileTypes: true });
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      const level = enter(found, entries);
      for (const entry of entries) {
        const below = visit(entry, level);
        if (below) levels.push(below);
        await pause();
      }
    } catch (thrown) {
      // The root must exist. Its entries may disappear during the walk.
      if (found.path === '') throw thrown;
      skip(found.path, 'unreadable');
    }
  }
  return { files, skipped, ignores };
}

/** The nearest file with a matching pattern decides. */
function isIgnored(path: string, folder: boolean, rules: Level['rules']): boolean {
  for (const { base, patterns } of rules) {
    const below = base === '' ? path : path.slice(base.length + 1);
    const { ignored, unignored } = patterns.test(folder ? `${below}/` : below);
    if (ignored || unignored) return ignored;
  }
  return false;
}
