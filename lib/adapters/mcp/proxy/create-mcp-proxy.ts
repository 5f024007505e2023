import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { runWatcherSchema } from '../../../agent/run-watcher.ts';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { parseOptions } from '../../../errors/parse-options.ts';
import { permissionSchema } from '../../../events/parts/tool-description.ts';
import { timerMs } from '../../../events/values/timer-ms.ts';
import { consoleLogger, isLogger } from '../../../pipeline/logger.ts';
import { listenHttp, type McpListening, type McpListenOptions } from '../http/listen-http.ts';
import { type RemoteServer, remoteSchema } from '../http/remote-server.ts';
import { tieRemote } from '../http/tie-remote.ts';
import { errorReply, waitingFor } from './json-rpc.ts';
import { pinsIn } from './pins.ts';
import type { ClientPipes } from './pipes.ts';
import { openSession } from './session.ts';
import type { Ends, McpSession } from './session-options.ts';
import { ASK_TIMEOUT_MS, type SessionOptions } from './session-options.ts';
import { type ServerProgram, tieStdio } from './stdio.ts';
import { failedReply } from './take-message.ts';

/** Options of `createMcpProxy`. */
export type McpProxyOptions = Omit<SessionOptions, 'log' | 'secret' | 'isNew' | 'pins'> &
  Partial<Pick<SessionOptions, 'log'>> & {
    /** Signs pending calls that clients hold in the protocol without sessions. At least 32 random bytes (default: generated). */
    readonly secret?: Uint8Array;
    /**
     * A JSON file that stores the server's tool definitions. If a tool has changed since, clients receive the stored definition. Each call of it
     * then requires approval, until a user approves the change. Use one file for each server.
     */
    readonly pinsFile?: string;
  };

/** One end of a connection: a `Transport` of either generation of the SDK. */
export interface McpTransport {
  start(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: each SDK has types of messages of its own.
  send(message: any): Promise<void>;
  close(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  onmessage?: ((message: any, ...rest: any[]) => void) | undefined;
  onclose?: (() => void) | undefined;
}

/** A proxy between MCP clients and servers. Each connection has its own session, which is one run. */
export interface McpProxy {
  /**
   * Connects a client over stdio to a server, which it starts or calls over HTTP. Default client: stdin and stdout of this process. Resolves when
   * either side has disconnected, with the reason if it was the server. A started server has ended by then.
   */
  stdio(
    server: ServerProgram | RemoteServer,
    client?: Partial<ClientPipes>,
    signal?: AbortSignal,
  ): Promise<string | undefined>;
  /** Listens for HTTP clients of a server over HTTP. Each client has its own session at the server. */
  listen(server: RemoteServer, options?: McpListenOptions): Promise<McpListening>;
  /** Connects two transports and starts them. Resolves when one of them has closed, after it has closed the other. */
  connect(client: McpTransport, server: McpTransport): Promise<void>;
}

const fn = z.custom(
  (value) => typeof (value as { start?: unknown } | null)?.start === 'function',
  'must be a pipeline',
);
const optionsSchema = z.strictObject({
  pipeline: fn,
  agent: z.string().min(1).optional(),
  sessionId: z.string().min(1).optional(),
  userId: z.string().min(1).optional(),
  log: z.custom(isLogger, 'must be a logger with the methods debug, info, warn and error').optional(),
  secret: z.instanceof(Uint8Array).optional(),
  ask: z.custom((value) => typeof value === 'function', 'must be a function').optional(),
  onRun: z.custom((value) => typeof value === 'function', 'must be a function').optional(),
  pinsFile: z.string().min(1).optional(),
  askTimeoutMs: timerMs().int().positive().optional(),
  permissions: z.record(z.string(), permissionSchema).optional(),
  trustAnnotations: z.boolean().optional(),
  runs: runWatcherSchema,
});

/**
 * Creates a proxy between MCP clients and a server. Each `tools/call` goes through the hooks of `pipeline`. Other messages are forwarded unchanged,
 * except for text that a hook redacts. Both protocols are supported, with and without sessions. Tasks are not forwarded.
 */
export function createMcpProxy(options: McpProxyOptions): McpProxy {
  parseOptions('createMcpProxy()', optionsSchema, options);
  const { log = consoleLogger, secret = randomBytes(32) } = options;
  // A forgotten answer has already expired.
  const isNew = rememberTexts(2 * (options.askTimeoutMs ?? ASK_TIMEOUT_MS));
  const { pinsFile, ...given } = options;
  const pins = pinsFile === undefined ? {} : { pins: pinsIn(pinsFile, log) };
  const settings: SessionOptions = { ...given, ...pins, log, secret, isNew };
  return {
    async stdio(server, client = {}, signal = new AbortController().signal) {
      const pipes = {
        input: process.stdin,
        output: process.stdout,
        errors: logLine,
        ...client,
      };
      const session = (ends: Ends): McpSession => openSession(settings, ends);
      const why =
        'url' in server
          ? await tieRemote(parseOptions('stdio()', remoteSchema, server), pipes, session, signal)
          : await tieStdio(server, pipes, session, signal);
      await options.pipeline.flush();
      return why;
    },
    listen: async (server, at = {}) => listenHttp(settings, parseOptions('listen()', remoteSchema, server), at),
    async connect(client, server) {
      const toClient = sender(client);
      const session = openSession(settings, { answer: toClient, dropped() {}, toClient, toServer: sender(server) });
      const over = Promise.race([forward(client, session.fromClient), forward(server, session.fromServer)]);
      await Promise.all([client.start(), server.start()]);
      await over;
      await end(session);
      await Promise.all([client.close(), server.close()]);
      await options.pipeline.flush();
    },
  };

  function sender(to: McpTransport): (text: string) => void {
    return (text) => {
      to.send(JSON.parse(text)).catch((err: unknown) => log.warn({ err: messageOf(err) }, 'rejected an MCP message'));
    };
  }
}

/** If a message cannot be written as JSON, the waiting side gets an error. */
function forward(from: McpTransport, take: (text: string) => void): Promise<void> {
  const text = (message: unknown): string | undefined => {
    try {
      return JSON.stringify(message);
    } catch {
      return undefined;
    }
  };
  return new Promise((resolve) => {
    from.onmessage = (message) => {
      const decoded = text(message);
      if (decoded !== undefined) return take(decoded);
      const { asks, answers } = waitingFor(message);
      const why = 'The proxy rejected the message: it is nested too deeply.';
      for (const id of asks) from.send(errorReply(id, -32600, why)).catch(() => {});
      for (const id of answers) take(failedReply(id, why).text);
    };
    from.onclose = resolve;
  });
}

/** Limits the output that waits for a reader, in bytes. */
const MOST_UNREAD = 1_024 * 1_024;

function logLine(line: string): void {
  if (process.stderr.writableLength < MOST_UNREAD) process.stderr.write(`${line}\n`);
}

async function end(session: McpSession): Promise<void> {
  await session.serverGone('The connection is closed.');
  await session.end();
}

/** Returns a function that checks if a text is new. Texts older than `ms` milliseconds are forgotten. */
function rememberTexts(ms: number): (text: string) => boolean {
  // Ordered by expiry, because all entries expire after the same time.
  const ends = new Map<string, number>();
  return (text) => {
    const now = performance.now();
    for (const [known, end] of ends) {
      if (end > now) break;
      ends.delete(known);
    }
    const key = createHash('sha256').update(text).digest('base64');
    if (ends.has(key)) return false;
    ends.set(key, now + ms);
    return true;
  };
}
