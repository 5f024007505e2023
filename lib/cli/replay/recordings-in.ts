import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HooklineError } from '../../errors.ts';

/** Returns the files, and the recordings in folders, oldest first. Throws `INPUT_INVALID` if there are none. */
export function recordingsIn(paths: readonly string[]): readonly string[] {
  const files = paths.flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) throw new HooklineError('INPUT_INVALID', `${path}: there is no such file or folder.`);
    return stats.isDirectory() ? inFolder(path) : [path];
  });
  if (files.length > 0) return files;
  throw new HooklineError(
    'INPUT_INVALID',
    `There are no recordings in ${paths.join(', ')}. The hook "recorder" writes them, one *.jsonl file per run.`,
  );
}

function inFolder(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  return names.sort().map((name) => join(folder, name));
}
