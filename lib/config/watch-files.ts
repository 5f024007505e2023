import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { watch } from 'chokidar';
import { debounceTime, distinctUntilChanged, map, Observable, of, Subject, switchMap } from 'rxjs';
import { fileState } from './file-state.ts';

/** Milliseconds that files have to be left alone: editors write in several steps. */
const QUIET_MS = 50;

/**
 * Emits when any of these files was changed, replaced, removed or came back, once it is quiet. Files that are not there yet are waited for, also
 * in folders that are not there yet. An Observable gives them anew whenever others are of interest.
 */
export function watchFiles(files: readonly string[] | Observable<readonly string[]>): Observable<void> {
  const lists$ = files instanceof Observable ? files : of(files);
  return new Observable<void>((subscriber) => {
    let states = new Map<string, string>();
    const stirred$ = new Subject<void>();
    const look = (): void => {
      const before = states;
      states = new Map([...before.keys()].map((file) => [file, fileState(file)]));
      if ([...states].some(([file, state]) => state !== before.get(file))) subscriber.next();
    };
    const watching = stirred$
      .pipe(
        map(() => [...new Set([...states.keys()].flatMap(pathsOf))]),
        map((paths) => ({ paths, folders: [...new Set(paths.flatMap(foldersOf))] })),
        // A watcher follows neither what was moved nor what is not there: it is made anew for other folders.
        distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
        switchMap(({ paths, folders }) => watchFolders(folders, paths)),
      )
      .subscribe({ next: () => stirred$.next(), error: (error) => subscriber.error(error) });
    const quiet = stirred$.pipe(debounceTime(QUIET_MS)).subscribe(look);
    const lists = lists$.subscribe((list) => {
      states = new Map(list.map((file) => resolve(file)).map((file) => [file, states.get(file) ?? fileState(file)]));
      stirred$.next();
    });
    return () => {
      for (const one of [lists, quiet, watching]) one.unsubscribe();
    };
  });
}

/** Emits when anything in these folders happens to one of the paths, and when it has begun to watch. */
function watchFolders(folders: readonly string[], paths: readonly string[]): Observable<void> {
  const wanted = new Set([...folders, ...paths.flatMap(chainOf)]);
  return new Observable<void>((subscriber) => {
    const ignored = (path: string): boolean => !wanted.has(resolve(path));
    // A watcher of a folder that was moved is never closed where watchers are shared, as they are when persistent.
    const watcher = watch([...folders], { ignoreInitial: true, depth: 0, persistent: false, ignored });
    const tell = (): void => subscriber.next();
    const ready = new Promise<void>((resolve) => {
      watcher.on('all', tell).on('ready', () => {
        tell();
        resolve();
      });
    });
    watcher.on('error', (error) => subscriber.error(error));
    // Closed while it begins, it would go on to begin, and never be closed.
    return () => void Promise.race([ready, after(BEGUN_MS)]).then(() => watcher.close());
  });
}

/** Milliseconds in which a watcher has begun in any case. */
const BEGUN_MS = 5_000;

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** A file as it is named, and what a link of that name leads to. */
function pathsOf(file: string): string[] {
  try {
    return [file, realpathSync(file)];
  } catch {
    return [file];
  }
}

/** The nearest folder that there is, and the one that it may be taken away from. */
function foldersOf(path: string): string[] {
  const folder = chainOf(path).find((one) => one !== path && isFolder(one)) ?? dirname(path);
  return [folder, dirname(folder)];
}

/** A path and all folders around it, the nearest first. */
function chainOf(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [path] : [path, ...chainOf(folder)];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
