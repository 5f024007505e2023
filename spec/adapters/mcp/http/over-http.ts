import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpProxy, type McpListening, type McpProxyOptions } from '../../../../lib/adapters/mcp/index.ts';
import { createPipeline, defineHook, type HookDefinition } from '../../../../lib/index.ts';
import { silentLogger } from '../../../../lib/pipeline/logger.ts';
import { recorder } from '../../../../lib/testing/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages of any shape.
export type Message = any;
type Answer = (message: Message, response: ServerResponse, incoming: IncomingMessage) => unknown;

/** A received request. */
export interface Got {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly message: Message;
}

export const BOTH = 'application/json, text/event-stream';
export const sse = (message: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
export const tools = [
  { name: 'echo', inputSchema: { type: 'object', properties: { text: { type: 'string', 'x-mcp-header': 'Text' } } } },
];
export const reply = (response: ServerResponse, { id }: Message, result: object): void =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
export const said = (text: string): object => ({ content: [{ type: 'text', text }] });

/** A handwritten server over HTTP: `calls` answers tools/call, `others` anything else. */
export async function handMade(
  calls: Answer = (message, response) => reply(response, message, said('done')),
  others?: Answer,
) {
  const got: Got[] = [];
  const http = createServer(async (incoming, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece);
    const message = pieces.length > 0 ? JSON.parse(Buffer.concat(pieces).toString()) : undefined;
    const { method = '', url = '', headers } = incoming;
    got.push({ method, url, headers, message });
    if ((await others?.(message, response, incoming)) === true) return;
    if (method === 'DELETE') return void response.writeHead(200).end();
    if (method === 'GET') return void response.writeHead(405).end();
    if (message.id === undefined || message.method === undefined) return void response.writeHead(202).end();
    if (message.method === 'initialize') {
      response.setHeader('mcp-session-id', `upstream-${got.length}`);
      const capabilities = { tools: {} };
      return reply(response, message, {
        protocolVersion: '2025-11-25',
        capabilities,
        serverInfo: { name: 's', version: '1' },
      });
    }
    if (message.method === 'tools/list') return reply(response, message, { tools });
    if (message.method === 'tools/call') await calls(message, response, incoming);
    else reply(response, message, {});
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/up`,
    got,
    of: (name: string) => got.filter(({ message }) => message?.method === name),
    close: () => {
      http.closeAllConnections();
      return new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

/** The proxy in front of `url`, with handwritten clients. */
export async function listening(
  url: string,
  {
    hooks = [],
    headers,
    ...options
  }: Partial<McpProxyOptions> & { hooks?: readonly HookDefinition[]; headers?: Record<string, string> } = {},
) {
  const recorded = recorder();
  const pipeline = createPipeline([...hooks.map((hook) => defineHook(hook)), recorded], { log: silentLogger });
  const proxy: McpListening = await createMcpProxy({ pipeline, log: silentLogger, ...options }).listen({
    url,
    ...(headers && { headers }),
  });
  return { proxy, recorded, client: (fields: Record<string, string> = {}) => clientOf(proxy.url, fields) };
}

/** A client that sends the given messages. */
export function clientOf(url: string, fields: Record<string, string>) {
  let session: Record<string, string> = {};
  let ids = 0;
  const post = (message: object, more: Record<string, string> = {}): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: BOTH, ...fields, ...session, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const ask = (method: string, params: object = {}, more: Record<string, string> = {}): Promise<Response> =>
    post({ id: ++ids, method, params }, more);
  return {
    post,
    ask,
    get session() {
      return session;
    },
    async start() {
      const capabilities = { elicitation: {} };
      const response = await ask('initialize', {
        protocolVersion: '2025-11-25',
        capabilities,
        clientInfo: { name: 'c', version: '1' },
      });
      const id = response.headers.get('mcp-session-id');
      if (id !== null) session = { 'mcp-session-id': id };
      await post({ method: 'notifications/initialized' });
      return response;
    },
    call: (name: string, input: object = {}, more: Record<string, string> = {}): Promise<Response> =>
      ask('tools/call', { name, arguments: input }, more),
    end: () => fetch(url, { method: 'DELETE', headers: { ...fields, ...session } }),
  };
}

/** The last message of an answer, streamed or not. */
export async function answerOf(response: Response): Promise<Message> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.includes('event-stream')) return JSON.parse(text);
  const last =
    text
      .trim()
      .split('\n\n')
      .filter((event) => event.includes('data:'))
      .at(-1) ?? '';
  return JSON.parse(last.replace(/^[\s\S]*data: /, ''));
}

/** A request with any headers, and its status. */
export function statusOf(
  url: string,
  method: string,
  headers: Record<string, string>,
  body = '',
  path = new URL(url).pathname,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, path }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
