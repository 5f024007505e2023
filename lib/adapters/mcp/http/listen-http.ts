import { lookup } from 'node:dns/promises';
import { createServer } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';
import type { SessionOptions } from '../proxy/session-options.ts';
import { faultOfRequest } from './guard-request.ts';
import { loginMetadata } from './login-metadata.ts';
import type { RemoteServer } from './remote-server.ts';
import { refuse, serveClients } from './serve-clients.ts';

/** Where a proxy listens. */
export interface McpListenOptions {
  /** Default `127.0.0.1`. Anything but loopback needs `allowedHosts`, and a server that clients log in at by themselves. */
  readonly host?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  /** What the Host header may say besides the address itself, port included. */
  readonly allowedHosts?: readonly string[];
}

/** A proxy that is being listened to. */
export interface McpListening {
  /** The address for clients. */
  readonly url: string;
  /** Ends all sessions. */
  close(): Promise<void>;
}

const PATH = '/mcp';
const MAX_CONNECTIONS = 2_000;

/** Opens a port for MCP clients. A binding that is not safe is `OPTIONS_INVALID`, a port that cannot be had `INPUT_INVALID`. */
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
        const fault = faultOfRequest(request, hosts);
        if (fault) return refuse(response, fault);
        if (await login.handle(request, response)) return;
        if (request.url?.split('?')[0] !== PATH)
          return refuse(response, { status: 404, why: `Clients find ${PATH} here.` });
        await service.handle(request, response);
      };
      answer().catch((err: unknown) => {
        settings.log.error({ err }, 'a request of an MCP client failed');
        refuse(response, { status: 500, why: 'The proxy failed; its log says why.' });
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
  const faults = [
    ...(allowedHosts.length > 0
      ? []
      : ['without allowed hosts (what the Host header may say, such as "mcp.example:3900")']),
    ...(Object.keys(headers).length === 0 ? [] : ['with headers of its own, whose rights would serve everybody']),
  ];
  if (faults.length === 0) return;
  throw new HooklineError(
    'OPTIONS_INVALID',
    `The proxy cannot listen on ${JSON.stringify(host)}, where others reach it, ${faults.join(' and ')}. Listen on 127.0.0.1, or change that.`,
  );
}
