import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client as SecondClient, StreamableHTTPClientTransport as SecondHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as SecondTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const SERVER = join(__dirname, 'sdk-server.cjs');

/** A server and a client, with the protocol that they negotiate. */
export interface Pair {
  readonly server: 'v1' | 'v2';
  readonly client: 'v1' | 'v2';
  /** The protocol without sessions, if both support it. */
  readonly modern?: boolean;
}

export const pairs: readonly Pair[] = [
  { server: 'v1', client: 'v1' },
  { server: 'v1', client: 'v2' },
  { server: 'v2', client: 'v1' },
  { server: 'v2', client: 'v2' },
  { server: 'v2', client: 'v2', modern: true },
];

export const nameOf = ({ server, client, modern }: Pair): string =>
  `a ${server} server and a ${client} client${modern ? ' without sessions' : ''}`;

export const serverCommand = (server: Pair['server']): readonly string[] => [process.execPath, SERVER, server];

/** A client of a server process, possibly behind another program. */
export async function connected(
  { client: generation, modern }: Pair,
  [command, ...args]: readonly string[],
  { env = {}, capabilities = {} }: { env?: Record<string, string>; capabilities?: object } = {},
) {
  const options = {
    command: command as string,
    args,
    env: { ...(process.env as Record<string, string>), ...env },
    stderr: 'pipe' as const,
  };
  const info = { name: 'tester', version: '1' };
  const errors: string[] = [];
  if (generation === 'v1') {
    const transport = new FirstTransport(options);
    transport.stderr?.on('data', (data) => errors.push(String(data)));
    const client = new FirstClient(info, { capabilities });
    await client.connect(transport);
    return { client, errors };
  }
  const transport = new SecondTransport(options);
  transport.stderr?.on('data', (data) => errors.push(String(data)));
  const client = new SecondClient(info, { capabilities, ...(modern && { versionNegotiation: { mode: 'auto' } }) });
  await client.connect(transport);
  return { client, errors };
}

/** A client of a server at an address. */
export async function connectedTo(
  { client: generation, modern }: Pair,
  url: string,
  { capabilities = {}, ...options }: { capabilities?: object; authProvider?: never; requestInit?: RequestInit } = {},
) {
  const info = { name: 'tester', version: '1' };
  if (generation === 'v1') {
    const client = new FirstClient(info, { capabilities });
    const transport = new FirstHttp(new URL(url), options);
    await client.connect(transport as never);
    return { client, transport };
  }
  const client = new SecondClient(info, { capabilities, ...(modern && { versionNegotiation: { mode: 'auto' } }) });
  const transport = new SecondHttp(new URL(url), options);
  await client.connect(transport);
  return { client, transport };
}

/** A server process that listens over HTTP. */
export async function serverOverHttp(server: Pair['server'], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [SERVER, server, 'http'], { env: { ...process.env, ...env } });
  const errors: string[] = [];
  child.stderr.on('data', (data) => errors.push(String(data)));
  const port = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  return { url: `http://127.0.0.1:${port}/mcp`, errors, child };
}
