import { lookup } from 'node:dns/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { HooklineError } from '../errors.ts';
import type { HooklineServer } from './create-server.ts';
import { checkBinding, isLoopback } from './security/check-binding.ts';
import { networkOf } from './security/network-of.ts';
import { withSecurityHeaders } from './security/security-headers.ts';
import type { Tokens } from './tokens.ts';

/** Listen address and limits. Times are in milliseconds. */
export interface ListenOptions {
  /** Listen address (default: `127.0.0.1`). Any other than loopback requires a token in the store and `allowedHosts`. */
  readonly host?: string;
  /** Port (default: 0, a free port). */
  readonly port?: number;
  /** Additional values of the Host header, port included. */
  readonly allowedHosts?: readonly string[];
  /** Maximum number of open connections (default: 2,000). Further ones are closed. */
  readonly connections?: number;
  /** Maximum number of open connections from one address (default: 500). Further ones are closed. */
  readonly connectionsPerAddress?: number;
  /** Timeout of the head of a request (default: 10,000). */
  readonly headersMs?: number;
  /** Timeout of a whole request (default: 30,000). */
  readonly requestMs?: number;
  /** Timeout between two requests of a connection (default: 5,000). */
  readonly keepAliveMs?: number;
}

/** A server that accepts connections. */
export interface Listening {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Rejects new connections, waits for the open ones, and closes them after `graceMs` (default: 5,000). */
  close(graceMs?: number): Promise<void>;
}

/** Opens a port for the API. Throws `OPTIONS_INVALID` if the address is not safe, and `INPUT_INVALID` if the port is not available. */
export async function listen(
  server: HooklineServer,
  tokens: Pick<Tokens, 'list'>,
  options: ListenOptions = {},
): Promise<Listening> {
  const { host = '127.0.0.1', allowedHosts = [], headersMs = 10_000, requestMs = 30_000 } = options;
  const { address } = await lookup(host).catch((cause) => fail(host, cause));
  // Binds to the checked address, because the name may resolve to another one later.
  checkBinding({ host, address, allowedHosts, hasToken: isLoopback(address) || (await tokens.list()).length > 0 });
  const listener = getRequestListener(
    (request, { incoming, outgoing }) =>
      server.fetch(request, { address: incoming.socket.remoteAddress, hangUp: () => void outgoing.destroy() }),
    { errorHandler: unreadable },
  );
  const http = createHttpServer(
    {
      headersTimeout: Math.min(headersMs, requestMs),
      requestTimeout: requestMs,
      keepAliveTimeout: options.keepAliveMs ?? 5_000,
      // Interval at which both timeouts are checked.
      connectionsCheckingInterval: Math.min(1_000, headersMs),
    },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  http.maxConnections = options.connections ?? 2_000;
  boundPerAddress(http, options.connectionsPerAddress ?? 500);
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(options.port ?? 0, address, resolve);
  }).catch((cause) => fail(`${host}:${options.port ?? 0}`, cause));
  const { port } = http.address() as AddressInfo;
  const shown = isIPv6(address) ? `[${address}]` : address;
  const names = isLoopback(address) ? [shown, 'localhost'] : [];
  for (const name of names)
    for (const accepted of port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]) server.allowHost(accepted);
  for (const allowed of allowedHosts) server.allowHost(allowed);

  return {
    url: `http://${shown}:${port}`,
    host: address,
    port,
    async close(graceMs = 5_000) {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      http.closeIdleConnections();
      const cut = setTimeout(() => http.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(cut);
    },
  };
}

function boundPerAddress(http: Server, most: number): void {
  const open = new Map<string, number>();
  http.on('connection', (socket) => {
    const address = networkOf(socket.remoteAddress ?? 'unknown');
    const count = open.get(address) ?? 0;
    if (count >= most) return void socket.destroy();
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

function unreadable(): Response {
  const error = { code: 'HTTP_400', message: 'The host or the target of the request is invalid.' };
  return withSecurityHeaders(Response.json({ error }, { status: 400, headers: { connection: 'close' } }));
}

function fail(where: string, cause: Error): never {
  throw new HooklineError('INPUT_INVALID', `The server cannot listen on ${where}: ${cause.message}.`, { cause });
}
