import { userInfo } from 'node:os';
import type { Logger } from 'pino';
import { defer, from, type Observable, Subject, switchMap, tap } from 'rxjs';
import { createHookConfigs, type LiveHooks, memoryStore } from '../../config/index.ts';
import { HooklineError } from '../../errors.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Inbox } from '../../hooks/index.ts';
import { packageVersion } from '../../hooks/package-version.ts';
import type { Runs } from '../../server/index.ts';
import { priceTable } from '../run/price-table.ts';
import { type Approval, printAnswered } from '../setup/create-approval.ts';
import { loadServer } from '../setup/load-server.ts';
import { answerSuspended, type Resumption } from './answer-suspended.ts';

export interface InspectedRun {
  readonly live: LiveHooks;
  readonly inbox: Inbox;
  readonly log: Logger;
  /** Called with the reason when the run is cancelled on the page. */
  readonly cancel: (reason: unknown) => void;
  /** Called when it is interrupted there. */
  readonly interrupt: () => void;
}

/** A page that shows active runs of this process. */
export interface RunPage {
  readonly url: string;
  /** Returns the same events and shows them on the page. `cancel` is for this run only. */
  show(events$: Observable<SettledEvent>, cancel?: InspectedRun['cancel']): Observable<SettledEvent>;
  /** Waits for the answers to the pending calls of a suspended run, here or on the page. */
  answers(
    runId: string,
    snapshot: JsonObject,
    approval: Approval,
    signal: AbortSignal,
  ): Promise<Resumption | undefined>;
  close(): Promise<void>;
}

/** Longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** Serves a page for runs of this process, on a free port. */
export async function inspectRun({ live, inbox, log, cancel, interrupt }: InspectedRun): Promise<RunPage> {
  const server = loadServer();
  const store = memoryStore();
  const user = userInfo().username;
  const waiting: (Pick<InspectedRun, 'cancel'> & { readonly events$: Observable<SettledEvent>; taken(): void })[] = [];
  const [answered$, givenUp$, resumed$] = [
    new Subject<{ id: string }>(),
    new Subject<string>(),
    new Subject<Resumption>(),
  ];
  /** Receives the events of the run that is being resumed. */
  let resuming: Subject<SettledEvent> | undefined;
  function obey(signal: AbortSignal, interrupt$: Observable<unknown>, cancelled = cancel): void {
    interrupt$.subscribe(interrupt);
    signal.addEventListener('abort', () => cancelled(signal.reason));
  }
  const runs = server.createRuns({
    start(_, signal, interrupt$) {
      const next = waiting.shift();
      if (!next)
        throw new HooklineError('INPUT_INVALID', 'This web UI cannot start runs. Start them on the command line.');
      obey(signal, interrupt$, next.cancel);
      next.taken();
      return next.events$;
    },
    resume(snapshot, answers, _, signal, interrupt$) {
      obey(signal, interrupt$);
      resuming = new Subject();
      resumed$.next({ snapshot, answers });
      return resuming;
    },
    store,
    runStore: server.memoryRunStore(),
    inbox,
    prices: () => priceTable(live.config),
    log,
    // A slow start must not end the run just because it is watched.
    limits: { startMs: LONGEST_MS },
  });
  const tokens = server.createTokens(store);
  const configs = createHookConfigs(live, store);
  const routes: Runs = {
    ...runs,
    startsRuns: false,
    async answer(who, id, body) {
      const outcome = await runs.answer(who, id, body);
      if (outcome.status === 'answered' || outcome.status === 'changed') return outcome;
      answered$.next({ id });
      const edited = body.action === 'approve' && body.input !== undefined;
      if (outcome.status !== 'continued') printAnswered(body.action, who.user, edited);
      return outcome;
    },
    async cancel(of, runId) {
      const view = await runs.cancel(of, runId);
      givenUp$.next(runId);
      return view;
    },
  };
  const extra = [server.runRoutes(routes)];
  const api = server.createServer({ configs, live, tokens, extra, page: true, version: packageVersion() });
  const listening = await server.listen(api, tokens);
  const token = await tokens.issue({ user, rights: ['read', 'approve', 'run'], approvesFor: '*' });
  return {
    url: `${listening.url}/#token=${token}`,
    show: (events$, cancelled = cancel) =>
      defer(() => {
        const again$ = resuming;
        resuming = undefined;
        if (again$) return events$.pipe(tap(again$));
        const shown$ = new Subject<SettledEvent>();
        const taken = new Promise<void>((resolve) => {
          const one = { events$: shown$, cancel: cancelled, taken: resolve };
          waiting.push(one);
          runs.start(user, { prompt: 'run' }).catch((err: unknown) => {
            log.error({ err }, 'the web UI cannot show the run');
            waiting.splice(0, waiting.length, ...waiting.filter((other) => other !== one));
            resolve();
          });
        });
        return from(taken).pipe(switchMap(() => events$.pipe(tap(shown$))));
      }),
    answers: (...of) => answerSuspended({ runs, user, answered$, givenUp$, resumed$, log }, ...of),
    async close() {
      await runs.drain(0);
      await listening.close(0);
    },
  };
}
