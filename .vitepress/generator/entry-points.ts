import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as packageJson from '../../package.json';
import type { Links } from './links.ts';
import { root } from './root.ts';

const guide = 'samples/README.md';

/** An entry point of the package. */
export interface EntryPoint {
  /** What programs import: `hookline/tools`. */
  readonly name: string;
  readonly file: string;
  readonly description: string;
}

/** Returns the entry points of the package, with their descriptions from the guide. */
export function entryPoints(links: Links): readonly EntryPoint[] {
  const rows = readFileSync(join(root, guide), 'utf8').split('\n');
  return Object.entries(packageJson.exports).flatMap(([subpath, entry]) => {
    if (typeof entry === 'string') return [];
    const name = subpath.replace('.', 'hookline');
    const [, , description] = rows.find((row) => row.startsWith(`| \`${name}\` `))?.split('|') ?? [];
    if (description === undefined) throw new Error(`${guide} does not list the entry point ${name}`);
    return [{ name, file: entry['hookline:source'], description: links.rewrite(guide, description.trim()) }];
  });
}
