import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What is on the disk while one call is judged. Each folder is looked up once, and below one that is missing nothing is. */
export interface DiskView {
  /** Where links lead; of a path that is not there yet, those of the folder that is. The path is absolute. */
  realOf(path: string): string;
  /** Whether there is a file or a folder where the links of a path lead. */
  exists(path: string): boolean;
  /** What is in a folder; nothing where there is none, `undefined` where there is more than is looked at. */
  entriesOf(folder: string): readonly string[] | undefined;
}

/** So many entries of a folder are looked at; with more of them, what it holds is not known. */
const MOST_ENTRIES = 1_000;

interface Place {
  readonly real: string;
  readonly isThere: boolean;
}

/** Makes a view that remembers what it has looked up: it is for one call, since the disk changes. */
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
