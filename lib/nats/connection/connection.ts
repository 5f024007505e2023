import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import type { NatsSettings } from '../nats-options.ts';
import { loadNats, type NatsClient } from './load-nats.ts';
import { unfitServer } from './unfit-server.ts';

/** How often the client and the server check that the other is there, in milliseconds. */
const BEAT_MS = 5_000;

/** Options of consumers that wait for messages. After two missing heartbeats, for example when the server has restarted, they begin again. */
export const WATCH = { expires: 2 * BEAT_MS, idle_heartbeat: BEAT_MS };

export interface OpenConnection {
  readonly client: NatsClient;
  readonly nats: NatsConnection;
  readonly js: JetStreamClient;
  readonly manager: JetStreamManager;
}

/** The connection to NATS. It opens on first use, and reconnects without a limit. */
export interface Connection {
  readonly settings: NatsSettings;
  /** Calls `work` with the connection. A failure or an absent server is `STORE_FAILED`. `what` names the work: `cannot <what>`. */
  use<T>(what: string, work: (open: OpenConnection) => Promise<T>): Promise<T>;
  /** The connection; undefined before it has opened. */
  current(): OpenConnection | undefined;
  /** Resolves when the connection is open, without a timeout. */
  whenOpen(): Promise<OpenConnection>;
  /** Calls `again` after each reconnect, until the returned function is called. */
  onReconnect(again: () => void): () => void;
  close(): Promise<void>;
}

/** Creates a connection. Missing packages and unreadable credentials are `OPTIONS_INVALID`. */
export function createConnection(settings: NatsSettings, log: Logger | undefined): Connection {
  const client = loadNats();
  const servers = [settings.servers].flat();
  const place = `NATS at ${servers.join(', ')}`;
  const authenticator = authenticatorOf(client, settings);
  let opening: Promise<OpenConnection> | undefined;
  let ready: OpenConnection | undefined;
  let attempt: Promise<string> | undefined;
  /** Why the connected server cannot be used; undefined if it can. */
  let unfit: Promise<string | undefined> | undefined;
  let lastReason: string | undefined;
  const reconnected = new Set<() => void>();
  /** Since when NATS is away, by `performance.now()`; undefined while it is there. */
  let awaySince: number | undefined;
  let closed = false;

  const { tls } = settings;
  const access = {
    servers,
    name: `hookline ${settings.app}`,
    timeout: settings.timeoutMs,
    ...(authenticator && { authenticator }),
    ...((tls || servers.some((server) => server.startsWith('tls:'))) && {
      tls: withoutUndefined({ caFile: tls?.ca, certFile: tls?.cert, keyFile: tls?.key }),
    }),
  };

  async function open(): Promise<OpenConnection> {
    const nats = await client.transport.connect({
      ...access,
      maxReconnectAttempts: -1,
      reconnectDelayHandler() {
        // Before the first connection there is nothing to close, and the client would dial forever.
        if (closed) throw new HooklineError('STORE_FAILED', `${place}: the backplane is closed.`);
        return 250 + Math.random() * ('tls' in access ? 1_000 : 100);
      },
      pingInterval: BEAT_MS,
      waitOnFirstConnect: true,
      ignoreAuthErrorAbort: true,
    });
    if (closed) await nats.close();
    void watch(nats);
    const options = { timeout: settings.timeoutMs };
    const manager = await client.jetstream.jetstreamManager(nats, { ...options, checkAPI: false });
    awaySince = undefined;
    ready = { client, nats, js: client.jetstream.jetstream(nats, options), manager };
    unfit = check(ready);
    return ready;
  }

  /** Logs why the server cannot be used. A server that cannot be used is checked again at each use. */
  async function check(open: OpenConnection): Promise<string | undefined> {
    const reason = await unfitServer(open);
    if (reason !== undefined && reason !== lastReason)
      log?.error({ servers }, `the backplane cannot be used: ${reason}`);
    lastReason = reason;
    return reason;
  }

  async function watch(nats: NatsConnection): Promise<void> {
    for await (const { type } of nats.status())
      if (type === 'disconnect') {
        awaySince ??= performance.now();
        log?.warn({ servers }, 'NATS is disconnected');
      } else if (type === 'reconnect') {
        awaySince = undefined;
        if (ready) unfit = check(ready);
        log?.info({ servers }, 'NATS is connected again');
        for (const again of reconnected) again();
      }
  }

  function whenOpen(): Promise<OpenConnection> {
    opening ??= open().catch((thrown: unknown) => {
      opening = undefined;
      throw thrown;
    });
    return opening;
  }

  /** Returns the open connection. Waits at most until NATS has been away for `timeoutMs`, so that only the first calls wait. */
  async function soon(): Promise<OpenConnection> {
    if (ready && awaySince === undefined) return ready;
    awaySince ??= performance.now();
    const left = awaySince + settings.timeoutMs - performance.now();
    // The client sends what it got during a short interruption.
    if (ready && left > 0) return ready;
    const open = ready
      ? undefined
      : await Promise.race([whenOpen(), sleep(Math.max(0, left), undefined, { ref: false })]);
    if (open) return open;
    throw new Error(`it is not reachable within ${settings.timeoutMs} ms (${await whyNot()})`);
  }

  /** The client does not tell why it is still trying, so one attempt by itself does, for all that wait. */
  function whyNot(): Promise<string> {
    attempt ??= client.transport
      .connect({ ...access, reconnect: false })
      .then((nats) => nats.close())
      .then(() => 'it has just become reachable', messageOf)
      .finally(() => setTimeout(() => (attempt = undefined), settings.timeoutMs).unref());
    return attempt;
  }

  return {
    settings,
    async use(what, work) {
      if (closed) throw new HooklineError('STORE_FAILED', `${place}: cannot ${what}: the backplane is closed.`);
      try {
        const open = await soon();
        if (await unfit) {
          unfit = check(open);
          const reason = await unfit;
          if (reason !== undefined) throw new Error(reason);
        }
        return await work(open);
      } catch (cause) {
        if (cause instanceof HooklineError) throw cause;
        throw new HooklineError('STORE_FAILED', `${place}: cannot ${what}: ${messageOf(cause)}.`, { cause });
      }
    },
    current: () => ready,
    whenOpen,
    onReconnect(again) {
      reconnected.add(again);
      return () => void reconnected.delete(again);
    },
    async close() {
      closed = true;
      // A client that has not connected stops before its next attempt.
      await ready?.nats.close();
    },
  };
}

function authenticatorOf({ transport }: NatsClient, { credentials, user, password }: NatsSettings) {
  if (credentials !== undefined) {
    try {
      return transport.credsAuthenticator(readFileSync(credentials));
    } catch (cause) {
      throw new HooklineError('OPTIONS_INVALID', `natsBackplane(): cannot read the credentials ${credentials}.`, {
        cause,
      });
    }
  }
  return user === undefined ? undefined : transport.usernamePasswordAuthenticator(user, password);
}
