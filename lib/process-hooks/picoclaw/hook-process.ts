import {
  asyncScheduler,
  defer,
  finalize,
  firstValueFrom,
  map,
  Observable,
  type SchedulerLike,
  switchMap,
  take,
  takeUntil,
  timeout,
} from 'rxjs';
import { HooklineError } from '../../errors.ts';
import { EVENT_FORMAT_VERSION, type HookEvent } from '../../events/hook-event.ts';
import { withoutApprovals } from '../../events/without-approvals.ts';
import { consoleLogger } from '../../pipeline/logger.ts';
import { paramsJson, type RpcParams } from '../params-json.ts';
import type { Read } from '../pending-call.ts';
import { createKnownRuns } from '../protocol-2/known-runs.ts';
import { serveHost } from '../protocol-2/serve-host.ts';
import { connectProcess, type RpcConnection } from '../rpc-connection.ts';
import { supervise } from '../supervise.ts';
import { agreement, PROTOCOLS, type Protocol } from './agreement.ts';
import { createNotifier } from './observe/notifier.ts';
import type { ProcessHookSettings } from './options.ts';

/** Maximum number of buffered bytes for a process that does not read. */
const MAX_UNREAD = 1 << 26;

/** A process after `hook.hello`. */
interface Connection extends RpcConnection {
  readonly protocol: Protocol;
}

/** The process of a hook. It is kept running, and receives calls and notifications. */
export interface HookProcess {
  /** Calls a method with a total timeout of `ms`. Errors with `HOOK_TIMEOUT` or `PROCESS_FAILED`. */
  ask(method: string, params: RpcParams, ms: number): Observable<unknown>;
  /** Calls a method about an event, which is included in protocol 2. Emits the value that `read` returns for the reply, or its error. */
  askAbout<T>(
    event: HookEvent,
    method: string,
    params: RpcParams,
    ms: number,
    read: (reply: unknown) => T,
  ): Observable<T>;
  /** Sends a notification if the process is ready. Notifications are dropped while it is down, and beyond 1,024 while it starts. */
  notify(method: string, params: RpcParams, event?: HookEvent): void;
  /** Protocol version of the last start. Undefined before the first hello. */
  readonly protocol: Protocol | undefined;
  /** Number of successful hellos. */
  readonly starts: number;
  /** Starts it now instead of on first use, and reports success or failure. */
  start(): Observable<void>;
  /** Stops it at once, unless notifications wait for its start. */
  stop(): Promise<void>;
}

/** Creates the process of a hook, which starts on first use. It receives `modes` in `hook.hello`. Its requests can refer to `runs`. */
export function createHookProcess(
  settings: ProcessHookSettings,
  modes: readonly string[],
  runs = createKnownRuns(),
): HookProcess {
  const { name } = settings;
  const scheduler: SchedulerLike = settings.scheduler ?? asyncScheduler;
  const log = settings.log ?? consoleLogger;
  const host = serveHost({ name, runs, log: settings.log, scheduler, message: settings.message });
  const supervisor = supervise<Connection>({ name, scheduler, log, start: () => defer(connect) });
  const notifier = createNotifier(name, () => supervisor.use(), log);
  let protocol: Protocol | undefined;
  let starts = 0;
  let begun: RpcConnection | undefined;

  function connect(): Observable<Connection> {
    const connection = connectProcess(
      {
        command: settings.command,
        cwd: settings.dir,
        env: environment(settings),
        maxLine: settings.maxReplyLength,
        maxUnread: MAX_UNREAD,
      },
      {
        name,
        scheduler,
        replied() {
          // A process that only answered hello has not worked yet.
          if (agreed !== undefined) supervisor.worked();
        },
        junk: (line, why) =>
          log.warn({ hook: name, line: line.slice(0, 200), why }, 'a hook process wrote an unexpected line'),
        log: (line) => log.warn({ hook: name, stderr: line }, 'a hook process wrote to its standard error'),
        request(method, params, id) {
          if (agreed === 2) return serve(connection, method, params, id);
          const named = method.slice(0, 100);
          log.warn({ hook: name, method: named }, 'a hook process called a method that does not exist');
          if (id !== undefined) connection.respond(id, { error: `method not found: ${named}` });
        },
      },
    );
    begun = connection;
    log.info({ hook: name, command: settings.command[0] }, 'a hook process is started');
    let agreed: Protocol | undefined;
    const params = { name, version: 1, ...(modes.length > 0 && { modes }), protocols: PROTOCOLS };
    return connection.call('hook.hello', params, settings.timeouts.helloMs).pipe(
      map((reply) => {
        agreed = agreement(name, reply, modes);
        protocol = agreed;
        starts += 1;
        log.info({ hook: name, reply, protocol }, 'a hook process completed its handshake');
        return { ...connection, protocol };
      }),
      finalize(() => {
        if (agreed === undefined) void connection.stop();
      }),
    );
  }

  function serve(connection: RpcConnection, method: string, params: unknown, id: string | number | undefined): void {
    // After its end, no answer can be sent.
    const answered$ = host(method, params).pipe(takeUntil(connection.ended$));
    answered$.subscribe((answer) => {
      if ('error' in answer)
        log.warn({ hook: name, method, why: answer.error }, 'a hook process sent an invalid request');
      if (id === undefined) return;
      try {
        connection.respond(id, answer);
      } catch (thrown) {
        log.warn({ hook: name, method, err: thrown }, 'a response to a hook process could not be sent');
      }
    });
  }

  /** Cold: each subscription calls the process that is ready then, such as with `retry`. */
  function ask(method: string, params: RpcParams, ms: number, event?: HookEvent, read?: Read): Observable<unknown> {
    return new Observable((subscriber) => {
      const { now } = supervisor;
      if (now) now.begin(subscriber, method, withEvent(now, params, event), ms, read);
      else askLater(method, params, ms, event, read).subscribe(subscriber);
    });
  }

  /** Waits until the process is ready. This time counts towards the timeout. */
  function askLater(
    method: string,
    params: RpcParams,
    ms: number,
    event: HookEvent | undefined,
    read: Read | undefined,
  ): Observable<unknown> {
    const began = scheduler.now();
    return supervisor.use().pipe(
      take(1),
      timeout({
        first: ms,
        scheduler,
        with: () => {
          const message = `Hook process "${name}" was not ready for ${method} within ${ms} ms.`;
          throw new HooklineError('HOOK_TIMEOUT', message);
        },
      }),
      switchMap((connection) => {
        const left = Math.max(1, ms - (scheduler.now() - began));
        return new Observable((subscriber) =>
          connection.begin(subscriber, method, withEvent(connection, params, event), left, read, ms),
        );
      }),
    );
  }

  return {
    ask: (method, params, ms) => ask(method, params, ms),
    askAbout: <T>(event: HookEvent, method: string, params: RpcParams, ms: number, read: (reply: unknown) => T) =>
      ask(method, params, ms, event, read) as Observable<T>,
    notify: (method, params, event) =>
      notifier.notify((connection) => connection.notify(method, withEvent(connection, params, event))),
    get protocol() {
      return protocol;
    },
    get starts() {
      return starts;
    },
    start: () =>
      supervisor.use().pipe(
        take(1),
        map(() => undefined),
      ),
    async stop() {
      // A short run must not lose notifications that wait for the start. The hello timeout limits this.
      if (notifier.waiting > 0) await firstValueFrom(supervisor.use()).catch(() => {});
      await supervisor.stop();
      await begun?.stop();
    },
  };
}

/** Adds the Hookline event to the fields of protocol 1, if the process uses protocol 2. */
function withEvent({ protocol }: Connection, params: RpcParams, event: HookEvent | undefined): RpcParams {
  if (protocol !== 2 || !event) return params;
  return `${paramsJson(params).slice(0, -1)},"event":${JSON.stringify(withoutApprovals(event))},"format":${EVENT_FORMAT_VERSION}}`;
}

function environment({ env, inheritEnv }: ProcessHookSettings): NodeJS.ProcessEnv {
  if (inheritEnv === true) return { ...process.env, ...env };
  const names = inheritEnv === false ? [] : inheritEnv;
  const kept = Object.entries(process.env).filter(([name]) => names.includes(name));
  return { ...Object.fromEntries(kept), ...env };
}
