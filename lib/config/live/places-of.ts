import { readlinkSync, statSync } from 'node:fs';
import { join, parse, resolve, sep } from 'node:path';

/** The maximum number of links on the way to a file; more links are a circle. */
const MOST_LINKS = 40;

/**
 * Returns all names whose change may lead to another file: each folder and link on the way to these files, by its parent folder. The way ends at the first
 * missing name.
 */
export function placesOf(files: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const places = new Map<string, Set<string>>();
  for (const file of files) follow(resolve(file), 0);
  return places;

  function follow(path: string, links: number): void {
    const { root } = parse(path);
    const names = path
      .slice(root.length)
      .split(sep)
      .filter((name) => name !== '');
    let folder = root;
    for (const [index, name] of names.entries()) {
      const known = places.get(folder) ?? new Set<string>();
      places.set(folder, known.add(name));
      const here = join(folder, name);
      const target = targetOf(here);
      if (target !== undefined) {
        // A link is followed as written, because its target may be a link too.
        if (links < MOST_LINKS) follow(resolve(folder, target, ...names.slice(index + 1)), links + 1);
        return;
      }
      if (!isThere(here)) return;
      folder = here;
    }
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch {
    return false;
  }
}
