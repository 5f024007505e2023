import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The disk during the judgement of one call. Each folder is looked up once; nothing exists below a missing folder. */
export interface DiskView {
  /** Resolves the links of an absolute path. If the path does not exist, resolves those of its nearest existing folder. */
  realOf(path: string): string;
  /** Returns whether the path, with its links resolved, is a file or a folder. */
  exists(path: string): boolean;
  /** Returns the entries of a folder: none if it does not exist, `undefined` if it has more than the limit. */
  entriesOf(folder: string): readonly string[] | undefined;
}

/** The maximum number of entries read from a folder. With more, its content is unknown. */
const MOST_ENTRIES = 1_000;

interface Place {
  readonly real: string;
  readonly isThere: boolean;
}

/** Creates a view that caches its lookups. Use it for one call only, because the disk changes. */
export function createDiskView(): DiskView {
  const places = new Map<string, Place>();
  const entries = new Map<string, readonly string[] | undefined>();

  function placeOf(path: string): Place {
    const known = places.get(path);
    if (known) return known;
    const folder = dirname(path);
    const place = folder === path ? { real: path, isThere: true } : placeIn(placeOf(folder), basename(path));
    places.set(path, place);
    return place;
  }

  return {
    realOf: (path) => placeOf(path).real,
    exists: (path) => placeOf(path).isThere,
    entriesOf(folder) {
      if (!entries.has(folder)) {
        const names = placeOf(folder).isThere ? namesIn(folder) : [];
        entries.set(folder, names.length > MOST_ENTRIES ? undefined : names.map((name) => join(folder, name)));
      }
      return entries.get(folder);
    },
  };
}

function placeIn(folder: Place, name: string): Place {
  const path = join(folder.real, name);
  if (!folder.isThere) return { real: path, isThere: false };
  try {
    const status = lstatSync(path, { throwIfNoEntry: false });
    return { real: status?.isSymbolicLink() ? realpathSync(path) : path, isThere: status !== undefined };
  } catch {
    return { real: path, isThere: false };
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
