import { map, type Observable, Subject, take } from 'rxjs';

/** The room for text that waits for a hook process, of all its streams together. */
export interface ChunkRoom {
  add(characters: number): void;
  free(characters: number): void;
  /** Nothing while there is room, or gives the value once there is. */
  wait<T>(value: T): Observable<T> | undefined;
}

/**
 * `limit` may be passed by one chunk. Operators that buffer have to bound themselves; the handler that waits here stands before them, and
 * what a handler waits for stops the source.
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
