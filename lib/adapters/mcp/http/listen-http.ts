import { lookup } from 'node:dns/promises';
import { createServer } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';
import type { SessionOptions } from '../proxy/session-options.ts';
import { checkRequest } from './guard-request.ts';
import { loginMetadata } from './login-metadata.ts';
import type { RemoteServer } from './remote-server.ts';
import { refuse, serveClients } from './serve-clients.ts';

/** The address that a proxy listens on. */
export interface McpListenOptions {
  /** Default: `127.0.0.1`. Other addresses than loopback require `allowedHosts`, and a server at which each client logs in itself. */
  readonly host?: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Additional accepted Host values, including the port. */
  readonly allowedHosts?: readonly string[];
}

/** A listening proxy. */
export interface McpListening {
  /** The URL for clients. */
  readonly url: string;
  /** Stops listening and ends all sessions. */
  close(): Promise<void>;
}

const PATH = '/mcp';
const MAX_CONNECTIONS = 2_000;

/** Listens for MCP clients. Rejects with `OPTIONS_INVALID` for an unsafe address, and with `INPUT_INVALID` if the port is not available. */
export async function listenHttp(
  settings: SessionOptions,
  server: RemoteServer,
  { host = '127.0.0.1', port: wanted = 0, allowedHosts = [] }: McpListenOptions,
): Promise<McpListening> {
  const cannot = (thrown: unknown): never => {
    throw new HooklineError('INPUT_INVALID', `The proxy cannot listen on ${host}:${wanted}: ${messageOf(thrown)}.`);
  };
  const { address } = await lookup(host).catch(cannot);
  const inside = isLoopback(address);
  if (!inside) assertOpen(host, server, allowedHosts);
  const hosts = new Set(allowedHosts.map((one) => one.toLowerCase()));
  let url = '';
  const login = loginMetadata(server, PATH, () => new URL(url).origin);
  const service = serveClients(settings, server, login.change);
  const http = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      const answer = async (): Promise<void> => {
        const rejection = checkRequest(request, hosts);
        if (rejection) return refuse(response, rejection);
        if (await login.handle(request, response)) return;
        if (request.url?.split('?')[0] !== PATH)
          return refuse(response, { status: 404, why: `There is no such path. Connect to ${PATH}.` });
        await service.handle(request, response);
      };
      answer().catch((err: unknown) => {
        settings.log.error({ err }, 'a request of an MCP client failed');
        refuse(response, { status: 500, why: 'The proxy failed. See its log.' });
      });
    },
  );
  http.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(wanted, address, resolve);
  }).catch(cannot);
  const { port } = http.address() as AddressInfo;
  const shown = isIPv6(address) ? `[${address}]` : address;
  for (const name of inside ? [shown, 'localhost'] : []) {
    hosts.add(`${name}:${port}`);
    if (port === 80) hosts.add(name);
  }
  url = `http://${inside ? `${shown}:${port}` : allowedHosts[0]}${PATH}`;
  return {
    url,
    async close() {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      await service.close();
      http.closeAllConnections();
      await closed;
      await settings.pipeline.flush();
    },
  };
}

function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/i.test(address) || address === '::1';
}

function assertOpen(host: string, { headers = {} }: RemoteServer, allowedHosts: readonly string[]): void {
  const issues = [
    ...(allowedHosts.length > 0 ? [] : ['without allowed hosts (accepted Host headers, such as "mcp.example:3900")']),
    ...(Object.keys(headers).length === 0
      ? []
      : ['with its own headers, because all clients would share their credentials']),
  ];
  if (issues.length === 0) return;
  throw new HooklineError(
    'OPTIONS_INVALID',
    `The proxy cannot listen on the public address ${JSON.stringify(host)} ${issues.join(' and ')}. Listen on 127.0.0.1, or change the options.`,
  );
}
