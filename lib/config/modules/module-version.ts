import { statSync } from 'node:fs';
import { findModule } from './find-module.ts';

/** Tells two states of a module's file apart; 0 where there is none. */
export function moduleVersion(name: string, folder: string): number {
  const file = findModule(name, folder);
  return file === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
