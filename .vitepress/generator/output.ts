import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.ts';

const folder = join(root, '.vitepress/generated');

/** Writes a file below the folder of generated pages. */
export function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Copies a file of the repository to the same path below the folder of generated pages. */
export function copy(path: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(join(root, path), file);
}
