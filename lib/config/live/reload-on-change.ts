import { BehaviorSubject, concatMap, defer, finalize, merge, type Observable, of, tap } from 'rxjs';
import type { LiveHooks, ReloadResult } from './live-hooks.ts';
import { watchFiles } from './watch-files.ts';

/** Reloads hooks on subscription, and after each change of a file that they are created from. Emits the results. */
export function reloadOnChange(live: LiveHooks): Observable<ReloadResult> {
  return defer(() => {
    const watched$ = new BehaviorSubject(live.watched);
    return merge(watchFiles(watched$), of(undefined)).pipe(
      concatMap(() => live.reload()),
      // A configuration may name other modules now, even if it was rejected.
      tap(() => watched$.next(live.watched)),
      finalize(() => watched$.complete()),
    );
  });
}
