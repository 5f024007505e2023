import { BehaviorSubject, concatMap, defer, finalize, merge, type Observable, of, tap } from 'rxjs';
import type { LiveHooks, ReloadResult } from './live-hooks.ts';
import { watchFiles } from './watch-files.ts';

/** Reloads hooks on subscription, and after each change of a file that they are created from. Emits the results. */
export function reloadOnChange(live: LiveHooks): Observable<ReloadResult> {
  return defer(() => {
    const watched$ = new BehaviorSubject(live.watched);
    return merge(watchFiles(watched$), of(undefined)).pipe(
      concatMap(() => live.reload()),
      // Other modules may be named now, by a configuration that was refused too.
      tap(() => watched$.next(live.watched)),
      finalize(() => watched$.complete()),
    );
  });
}
