import { readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { debounceTime, distinctUntilChanged, map, Observable, skip, startWith } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import { isCaseFile } from './case-file.ts';

/** Milliseconds without a change before a folder counts as quiet. */
const QUIET_MS = 50;

/** Returns the files, and the case files of folders and their folders. Throws `INPUT_INVALID` if a path does not exist. */
export function caseFilesIn(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) throw new HooklineError('INPUT_INVALID', `${path}: there is no such file or folder.`);
    return stats.isDirectory() ? inFolder(path).files : [path];
  });
}

/** Emits the case files of folders each time one appears or is removed. */
export function watchCaseFiles(paths: readonly string[]): Observable<readonly string[]> {
  const look = () => {
    const all = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory()).map(inFolder);
    return { files: all.flatMap(({ files }) => files), folders: all.flatMap(({ folders }) => folders) };
  };
  return watchFolders(() => look().folders).pipe(
    debounceTime(QUIET_MS),
    startWith(undefined),
    map(() => look().files),
    distinctUntilChanged((one, other) => one.join('\n') === other.join('\n')),
    skip(1),
  );
}

/** Emits when an entry of these folders changes. `list` is called again for new folders. */
function watchFolders(list: () => readonly string[]): Observable<void> {
  return new Observable((subscriber) => {
    const watchers = new Map<string, ReturnType<typeof watch>>();
    const drop = (folder: string): void => {
      watchers.get(folder)?.close();
      watchers.delete(folder);
    };
    const follow = (): void => {
      const folders = new Set(list());
      for (const folder of watchers.keys()) if (!folders.has(folder)) drop(folder);
      for (const folder of folders) {
        if (watchers.has(folder)) continue;
        try {
          // A folder that is gone has no events. Its parent has one.
          const watcher = watch(folder, { persistent: false }, onEntry).on('error', () => drop(folder));
          watchers.set(folder, watcher);
        } catch {}
      }
    };
    const onEntry = (): void => {
      follow();
      subscriber.next();
    };
    follow();
    return () => {
      for (const folder of [...watchers.keys()]) drop(folder);
    };
  });
}

interface Found {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

function inFolder(path: string): Found {
  const files: string[] = [];
  const folders = [path];
  for (const entry of entriesOf(path)) {
    const inner = join(path, entry.name);
    if (!entry.isDirectory()) {
      if (isCaseFile(entry.name)) files.push(inner);
    } else if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) {
      const found = inFolder(inner);
      files.push(...found.files);
      folders.push(...found.folders);
    }
  }
  return { files, folders };
}

/** A folder may be removed while it is read. */
function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw thrown;
  }
}
