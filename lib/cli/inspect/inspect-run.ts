import { userInfo } from 'node:os';
import type { Logger } from 'pino';
import { defer, from, type Observable, Subject, switchMap, tap } from 'rxjs';
import { createHookConfigs, type LiveHooks, memoryStore } from '../../config/index.ts';
import { HooklineError } from '../../errors.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { Inbox } from '../../hooks/index.ts';
import { packageVersion } from '../package-version.ts';
import { loadServer } from '../setup/load-server.ts';

/** What the page of one run stands on. */
export interface InspectedRun {
  readonly live: LiveHooks;
  readonly inbox: Inbox;
  readonly log: Logger;
  /** Told why, when somebody cancels the run on the page. */
  readonly cancel: (reason: unknown) => void;
  /** Told when somebody interrupts it there. */
  readonly interrupt: () => void;
}

/** A page that shows runs of this process while they go. */
export interface RunPage {
  readonly url: string;
  /** The same events, which the page shows too. */
  show(events$: Observable<SettledEvent>): Observable<SettledEvent>;
  close(): Promise<void>;
}

/** What a timer takes at most. */
const LONGEST_MS = 2 ** 31 - 1;

/** Serves a page for runs of this process, on a port that is free. */
export async function inspectRun({ live, inbox, log, cancel, interrupt }: InspectedRun): Promise<RunPage> {
  const server = loadServer();
  const store = memoryStore();
  const user = userInfo().username;
  const waiting: { readonly events$: Observable<SettledEvent>; taken(): void }[] = [];
  const none = (): never => {
    throw new HooklineError('INPUT_INVALID', 'Runs of this page begin at the command line.');
  };
  const runs = server.createRuns({
    start(_, signal, interrupt$) {
      interrupt$.subscribe(interrupt);
      signal.addEventListener('abort', () => cancel(signal.reason));
      const next = waiting.shift() ?? none();
      next.taken();
      return next.events$;
    },
    resume: none,
    store,
    runStore: server.memoryRunStore(),
    inbox,
    log,
    // Whoever watches a run must not end it because it begins slowly.
    limits: { startMs: LONGEST_MS },
  });
  const tokens = server.createTokens(store);
  const configs = createHookConfigs(live, store);
  const extra = [server.runRoutes(runs)];
  const api = server.createServer({ configs, live, tokens, extra, page: true, version: packageVersion() });
  const listening = await server.listen(api, tokens);
  const token = await tokens.issue({ user, rights: ['read', 'approve', 'run'], approvesFor: '*' });
  return {
    url: `${listening.url}/#token=${token}`,
    show: (events$) =>
      defer(() => {
        const shown$ = new Subject<SettledEvent>();
        const taken = new Promise<void>((resolve) => {
          waiting.push({ events$: shown$, taken: resolve });
          runs.start(user, { prompt: 'run' }).catch((err: unknown) => {
            log.error({ err }, 'the page cannot show the run');
            resolve();
          });
        });
        return from(taken).pipe(switchMap(() => events$.pipe(tap(shown$))));
      }),
    async close() {
      await runs.drain(0);
      await listening.close(0);
    },
  };
}
