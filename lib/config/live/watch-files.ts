import { type FSWatcher, statSync, watch } from 'node:fs';
import { resolve } from 'node:path';
import { debounceTime, distinctUntilChanged, map, Observable, of, Subject, switchMap } from 'rxjs';
import { fileState } from './file-state.ts';
import { placesOf } from './places-of.ts';

/** Milliseconds without a change before files count as quiet, because editors write in several steps. */
const QUIET_MS = 50;

/**
 * Emits when any of these files, or a link on the way to it, was changed, replaced, removed or restored, and no further change follows. It also waits for
 * missing files, including those in missing folders. An Observable replaces the files whenever others are of interest.
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
        map(() => placesOf([...states.keys()])),
        map((places) => ({ places, key: keyOf(places) })),
        // A watcher follows neither moved nor missing folders: changed folders get new watchers.
        distinctUntilChanged((a, b) => a.key === b.key),
        switchMap(({ places }) => watchPlaces(places)),
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

type Places = ReturnType<typeof placesOf>;

/** Returns a key that also differs for another folder with the same name. */
function keyOf(places: Places): string {
  return JSON.stringify([...places].map(([folder, names]) => [folder, inodeOf(folder), [...names]]));
}

function inodeOf(folder: string): string {
  try {
    const { dev, ino } = statSync(folder, { bigint: true });
    return `${dev}.${ino}`;
  } catch {
    return 'none';
  }
}

/** Emits when one of these names changes in its folder, and when all are watched. */
function watchPlaces(places: Places): Observable<void> {
  return new Observable<void>((subscriber) => {
    const watchers = [...places].flatMap(([folder, names]) => {
      const watcher = watcherOf(folder, (name) => {
        if (name === null || names.has(name)) subscriber.next();
      });
      watcher?.on('error', (error: NodeJS.ErrnoException) => isGone(error) || subscriber.error(error));
      return watcher ?? [];
    });
    subscriber.add(() => {
      for (const watcher of watchers) watcher.close();
    });
    // Covers the changes before the watchers existed.
    subscriber.next();
  });
}

/** Returns nothing for a folder that is missing or unreadable: its changes are invisible. */
function watcherOf(folder: string, onChange: (name: string | null) => void): FSWatcher | undefined {
  try {
    return watch(folder, { persistent: false }, (_, name) => onChange(name));
  } catch (thrown) {
    if (isGone(thrown as NodeJS.ErrnoException)) return undefined;
    throw thrown;
  }
}

function isGone({ code }: NodeJS.ErrnoException): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(code ?? '');
}
