import { map, type Observable, Subject, take } from 'rxjs';

/** Shared limit of buffered text for a hook process, for all its streams. */
export interface ChunkRoom {
  add(characters: number): void;
  free(characters: number): void;
  /** Returns `undefined` while there is room. Otherwise emits the value once there is. */
  wait<T>(value: T): Observable<T> | undefined;
}

/**
 * One chunk may exceed `limit`. Operators that buffer need their own limit. This handler runs before them, and a handler that waits stops the source.
 */
export function createChunkRoom(limit: number): ChunkRoom {
  const freed$ = new Subject<void>();
  let held = 0;
  return {
    add(characters) {
      held += characters;
    },
    free(characters) {
      const full = held >= limit;
      held -= characters;
      if (full && held < limit) freed$.next();
    },
    wait(value) {
      if (held < limit) return undefined;
      return freed$.pipe(
        take(1),
        map(() => value),
      );
    },
  };
}
