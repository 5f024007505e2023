import { fromEvent, merge, of, type Subscription } from 'rxjs';
import { type LiveHooks, showFault, watchFiles } from '../config/index.ts';
import type { ServerReport } from './server-report.ts';

/** Reads the configuration again whenever one of its files changes, and on SIGHUP. */
export function keepReloaded(live: LiveHooks, files: readonly string[], report: ServerReport): Subscription {
  const told = live.changes$.subscribe((change) => {
    if (change.type === 'reloaded') report('reloaded', { generation: change.generation });
    else report('refused', { generation: change.generation, faults: change.faults.map(showFault) });
  });
  // They may have changed since they were read, before anybody watched.
  const changed$ = merge(fromEvent(process, 'SIGHUP'), watchFiles(files), of(undefined));
  told.add(
    changed$.subscribe({
      next: () => void live.reload(),
      error: (error: Error) => report('not-watched', { error: error.message }),
    }),
  );
  return told;
}
