import { watch } from 'chokidar';
import { debounceTime, Observable } from 'rxjs';

/** Milliseconds that files have to be left alone: editors write in several steps. */
const QUIET_MS = 50;

/** Emits when any of these files was changed, replaced, removed or came back. Files that are not there yet are waited for. */
export function watchFiles(files: readonly string[]): Observable<void> {
  return new Observable<void>((subscriber) => {
    const watcher = watch([...files], { ignoreInitial: true });
    watcher.on('all', () => subscriber.next());
    watcher.on('error', (error) => subscriber.error(error));
    return () => void watcher.close();
  }).pipe(debounceTime(QUIET_MS));
}
