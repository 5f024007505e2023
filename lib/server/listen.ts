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

/** Where to listen, and how much is put up with. Times in milliseconds. */
export interface ListenOptions {
  /** Default `127.0.0.1`. Anything but loopback needs a token in the store, and `allowedHosts`. */
  readonly host?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  /** What the Host header may say besides the address itself, port included. */
  readonly allowedHosts?: readonly string[];
  /** Connections at a time; what comes above is closed at once. Default 2,000. */
  readonly connections?: number;
  /** Connections from one address at a time; what comes above is closed at once. Default 500. */
  readonly connectionsPerAddress?: number;
  /** For the head of a request; default 10,000. */
  readonly headersMs?: number;
  /** For a whole request; default 30,000. */
  readonly requestMs?: number;
  /** Between two requests of a connection; default 5,000. */
  readonly keepAliveMs?: number;
}

/** A server that is being listened to. */
export interface Listening {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Takes no new connections, waits for the open ones, and cuts them off after `graceMs` (default 5,000). */
  close(graceMs?: number): Promise<void>;
}

/** Opens a port for the API. A binding that is not safe is `OPTIONS_INVALID`, a port that cannot be had `INPUT_INVALID`. */
export async function listen(
  server: HooklineServer,
  tokens: Pick<Tokens, 'list'>,
  options: ListenOptions = {},
): Promise<Listening> {
  const { host = '127.0.0.1', allowedHosts = [], headersMs = 10_000, requestMs = 30_000 } = options;
  const { address } = await lookup(host).catch((cause) => fail(host, cause));
  // Bound is what was checked: the name might lead elsewhere a moment later.
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
      // How often the two are looked at.
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
    for (const said of port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]) server.allowHost(said);
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
  const error = { code: 'HTTP_400', message: 'The host or the target of the request cannot be read.' };
  return withSecurityHeaders(Response.json({ error }, { status: 400, headers: { connection: 'close' } }));
}

function fail(where: string, cause: Error): never {
  throw new HooklineError('INPUT_INVALID', `The server cannot listen on ${where}: ${cause.message}.`, { cause });
}
