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

/** Bytes that may wait for a process that does not read. */
const MAX_UNREAD = 1 << 26;

/** A process that has said hello. */
interface Spoken extends RpcConnection {
  readonly protocol: Protocol;
}

/** The process behind a hook: kept running, asked and told. */
export interface HookProcess {
  /** Asks it, within `ms` in all; errors with `HOOK_TIMEOUT` or `PROCESS_FAILED`. */
  ask(method: string, params: RpcParams, ms: number): Observable<unknown>;
  /** The same about an event, which it gets too in protocol 2. Gives what `read` makes of the reply, or the error that it throws. */
  askAbout<T>(
    event: HookEvent,
    method: string,
    params: RpcParams,
    ms: number,
    read: (reply: unknown) => T,
  ): Observable<T>;
  /** Tells it something, when it is up; what it misses while it is down is lost, and what is more than 1,024 while it starts. */
  tell(method: string, params: RpcParams, event?: HookEvent): void;
  /** What it agreed to last; nothing before it has said hello. */
  readonly protocol: Protocol | undefined;
  /** How often it has said hello. */
  readonly starts: number;
  /** Starts it now rather than when it is first needed, and says whether that went well. */
  start(): Observable<void>;
  /** Ends it at once, unless there are events that it was told while it starts. */
  stop(): Promise<void>;
}

/** Makes the process of a hook; it is started when it is first needed. `modes` are told it in `hook.hello`, `runs` it may talk about. */
export function createHookProcess(
  settings: ProcessHookSettings,
  modes: readonly string[],
  runs = createKnownRuns(),
): HookProcess {
  const { name } = settings;
  const scheduler: SchedulerLike = settings.scheduler ?? asyncScheduler;
  const log = settings.log ?? consoleLogger;
  const host = serveHost({ name, runs, log: settings.log, scheduler, message: settings.message });
  const supervisor = supervise<Spoken>({ name, scheduler, log, start: () => defer(connect) });
  const teller = createNotifier(name, () => supervisor.use(), log);
  let protocol: Protocol | undefined;
  let starts = 0;
  let begun: RpcConnection | undefined;

  function connect(): Observable<Spoken> {
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
          // Whoever only says hello has not worked yet.
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
    // Nobody can be answered any more when it has ended.
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

  /** Cold, and asked for each time: whoever asks again, with `retry` say, asks the process that is up then. */
  function ask(method: string, params: RpcParams, ms: number, event?: HookEvent, read?: Read): Observable<unknown> {
    return new Observable((subscriber) => {
      const { now } = supervisor;
      if (now) now.begin(subscriber, method, withEvent(now, params, event), ms, read);
      else askLater(method, params, ms, event, read).subscribe(subscriber);
    });
  }

  /** Waits until the process is up; that time counts. */
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
      switchMap((spoken) => {
        const left = Math.max(1, ms - (scheduler.now() - began));
        return new Observable((subscriber) =>
          spoken.begin(subscriber, method, withEvent(spoken, params, event), left, read, ms),
        );
      }),
    );
  }

  return {
    ask: (method, params, ms) => ask(method, params, ms),
    askAbout: <T>(event: HookEvent, method: string, params: RpcParams, ms: number, read: (reply: unknown) => T) =>
      ask(method, params, ms, event, read) as Observable<T>,
    tell: (method, params, event) => teller.tell((spoken) => spoken.notify(method, withEvent(spoken, params, event))),
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
      // What it was told before it was up must not be lost because a run was short; hello bounds that.
      if (teller.waiting > 0) await firstValueFrom(supervisor.use()).catch(() => {});
      await supervisor.stop();
      await begun?.stop();
    },
  };
}

/** Adds the Hookline event to the fields of protocol 1, if the process uses protocol 2. */
function withEvent({ protocol }: Spoken, params: RpcParams, event: HookEvent | undefined): RpcParams {
  if (protocol !== 2 || !event) return params;
  return `${paramsJson(params).slice(0, -1)},"event":${JSON.stringify(withoutApprovals(event))},"format":${EVENT_FORMAT_VERSION}}`;
}

function environment({ env, inheritEnv }: ProcessHookSettings): NodeJS.ProcessEnv {
  if (inheritEnv === true) return { ...process.env, ...env };
  const names = inheritEnv === false ? [] : inheritEnv;
  const kept = Object.entries(process.env).filter(([name]) => names.includes(name));
  return { ...Object.fromEntries(kept), ...env };
}
