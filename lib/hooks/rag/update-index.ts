import { join } from 'node:path';
import { readText } from '../files/read-text.ts';
import { createPause } from './create-pause.ts';
import type { FolderIndex } from './folder-index.ts';
import type { FolderSettings } from './rag-options.ts';
import { type Walked, type WalkPlace, walkFolder } from './walk-folder.ts';

export interface Updated {
  readonly changed: boolean;
  readonly skipped: Walked['skipped'];
}

/** Updates an index from its folder: reads new and changed files, and removes deleted ones. */
export async function updateIndex(index: FolderIndex, place: WalkPlace, settings: FolderSettings): Promise<Updated> {
  const { files, skipped, ignores } = await walkFolder(place, settings, index.ignores);
  const leftOut = [...skipped];
  const pause = createPause();
  let changed = [...ignores].some(([path, { text }]) => index.ignores.get(path)?.text !== text);
  index.ignores = ignores;
  const gone = new Set(index.paths);
  for (const { path, ...stamp } of files) {
    try {
      if (!index.has(path, stamp)) {
        const read = readText(join(place.root, path), settings.maxFileBytes);
        index.put(path, read.stamp, read.text);
        changed = true;
      }
      gone.delete(path);
      if (index.isBinary(path)) leftOut.push({ path, reason: 'binary' });
    } catch {
      leftOut.push({ path, reason: 'unreadable' });
    }
    await pause();
  }
  for (const path of gone) index.remove(path);
  return { changed: changed || gone.size > 0, skipped: leftOut };
}
