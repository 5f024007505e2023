import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { createMcpProxy, type McpProxyOptions } from '../../../lib/adapters/mcp/index.ts';
import { createPipeline, defineHook, type HookDefinition } from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { recorder } from '../../../lib/testing/index.ts';
import { tempFolder } from '../../temp-folder.ts';

const SERVER = join(__dirname, '../../fixtures/mcp/plain-server.mjs');

// biome-ignore lint/suspicious/noExplicitAny: messages of any shape.
export type Message = any;

export interface Setup extends Partial<McpProxyOptions> {
  readonly hooks?: readonly HookDefinition[];
  readonly env?: NodeJS.ProcessEnv;
  readonly command?: readonly string[];
  /** The client's answers to requests of the server. */
  readonly answers?: (request: Message) => object | undefined;
  readonly capabilities?: object;
}

/** A client with raw stdio streams, the proxy, and a real server process. */
export function proxied({ hooks = [], env = {}, command, answers, capabilities = {}, ...options }: Setup = {}) {
  const received = join(tempFolder('mcp-'), 'received');
  const recorded = recorder();
  const pipeline = createPipeline([...hooks.map((hook) => defineHook(hook)), recorded], { log: silentLogger });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  const errors: string[] = [];
  const warnings: string[] = [];
  const told: Message[] = [];
  const waiting = new Map<unknown, (line: string) => void>();
  const stop = new AbortController();
  const log = { ...silentLogger, warn: (_: unknown, said?: string) => void warnings.push(String(said)) };
  const proxy = createMcpProxy({ pipeline, log, ...options });
  const over = proxy.stdio(
    { command: command ?? [process.execPath, SERVER], env: { ...process.env, ...env, RECEIVED: received } },
    { input, output, errors: (line) => void errors.push(line) },
    stop.signal,
  );
  createInterface({ input: output }).on('line', (line) => {
    lines.push(line);
    const message: Message = JSON.parse(line);
    if (message.method === undefined) return waiting.get(message.id)?.(line);
    told.push(message);
    const result = message.id === undefined ? undefined : answers?.(message);
    if (result) send({ id: message.id, ...result });
  });
  const write = (line: string): void => void input.write(`${line}\n`);
  const send = (message: object): void => write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  let ids = 0;
  /** Sends a line and returns the line that answers the request with that id. */
  const exchange = (line: string, id: unknown): Promise<string> =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      write(line);
    });
  const ask = async (method: string, params: object = {}, id: unknown = ++ids): Promise<Message> =>
    JSON.parse(await exchange(JSON.stringify({ jsonrpc: '2.0', id, method, params }), id));
  return {
    lines,
    errors,
    warnings,
    told,
    recorded,
    over,
    stop: () => stop.abort(),
    write,
    send,
    exchange,
    ask,
    async start() {
      const clientInfo = { name: 'raw', version: '1' };
      const reply = await ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo }, 'init');
      send({ method: 'notifications/initialized' });
      return reply.result;
    },
    /** The result of a call. */
    call: async (name: string, input: object = {}, meta?: object): Promise<Message> =>
      (await ask('tools/call', { name, arguments: input, ...(meta && { _meta: meta }) })).result,
    received: (): readonly string[] =>
      existsSync(received) ? readFileSync(received, 'utf8').split('\n').filter(Boolean) : [],
    async close() {
      input.end();
      return await over;
    },
  };
}

/** The same server's answer without a proxy. */
export async function direct(line: string): Promise<string> {
  const server = spawn(process.execPath, [SERVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  server.stdin.write(`${line}\n`);
  const [answer] = (await new Promise((resolve) =>
    createInterface({ input: server.stdout }).once('line', (said) => resolve([said])),
  )) as string[];
  server.stdin.end();
  return answer as string;
}
