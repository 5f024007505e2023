import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HttpAgent, type RunAgentResult } from '@ag-ui/client';

/** A handler on loopback. */
export interface Served {
  readonly url: string;
  /** The number of requests. */
  readonly requests: number;
  close(): Promise<void>;
}

export async function serve(handler: (request: Request) => Promise<Response>): Promise<Served> {
  let requests = 0;
  const server: Server = createServer(async (incoming, outgoing) => {
    requests += 1;
    const { method = 'GET', url = '/', headers } = incoming;
    const body = method === 'GET' ? null : (Readable.toWeb(incoming) as ReadableStream);
    const init = { method, headers: headers as Record<string, string>, body, duplex: 'half' } as RequestInit;
    const response = await handler(new Request(new URL(url, 'http://127.0.0.1'), init));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (!response.body) outgoing.end();
    else await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    get requests() {
      return requests;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The results of a run for a client: its messages and its events. */
export interface Told extends RunAgentResult {
  readonly types: readonly string[];
  readonly last: Record<string, unknown>;
}

/** Runs the client once and asserts that the stream has an end, which the client itself does not check. */
export async function runOf(agent: HttpAgent, parameters: Parameters<HttpAgent['runAgent']>[0] = {}): Promise<Told> {
  const events: { readonly type: string }[] = [];
  const result = await agent.runAgent(parameters, { onEvent: ({ event }) => void events.push(event) });
  const last = events.at(-1) as unknown as Record<string, unknown>;
  if (last?.['type'] !== 'RUN_FINISHED' && last?.['type'] !== 'RUN_ERROR')
    throw new Error(`The stream ended with ${JSON.stringify(last)}.`);
  return { ...result, types: events.map(({ type }) => type), last };
}

/** A client with one question on that thread. */
export function asks(
  url: string,
  text: string,
  threadId = 'thread-1',
  headers: Record<string, string> = {},
): HttpAgent {
  return new HttpAgent({ url, threadId, headers, initialMessages: [{ id: 'u1', role: 'user', content: text }] });
}
