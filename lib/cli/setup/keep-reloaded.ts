import { exhaustMap, from, fromEvent, type Subscription } from 'rxjs';
import { formatIssues, type LiveHooks, reloadOnChange } from '../../config/index.ts';
import type { ServerReport } from '../view/server-report.ts';

/** Reloads the configuration when a file of its hooks changes, and with `hangup` on SIGHUP. */
export function keepReloaded(live: LiveHooks, report: ServerReport, { hangup = true } = {}): Subscription {
  const subscription = live.changes$.subscribe((change) => {
    if (change.type === 'reloaded') report('reloaded', { generation: change.generation });
    else report('refused', { generation: change.generation, issues: formatIssues(change.issues) });
  });
  subscription.add(
    reloadOnChange(live).subscribe({ error: (error: Error) => report('not-watched', { error: error.message }) }),
  );
  if (!hangup) return subscription;
  subscription.add(
    fromEvent(process, 'SIGHUP')
      .pipe(exhaustMap(() => from(live.reload())))
      .subscribe(),
  );
  return subscription;
}
