import { BehaviorSubject, concatMap, defer, finalize, merge, type Observable, of, tap } from 'rxjs';
import type { LiveHooks, ReloadResult } from './live-hooks.ts';
import { watchFiles } from './watch-files.ts';

/** Reloads hooks when it is subscribed to, and whenever a file that they are made from has changed and is quiet; emits what came of it. */
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
