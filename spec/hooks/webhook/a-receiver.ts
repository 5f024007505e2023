import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A received request. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { version: number; hook: string; lost: number; events: Record<string, unknown>[] };
}

/** A server on loopback that receives posts. `answers` are the status codes of the first requests; later ones get 200. */
export async function receiver(...answers: (number | ((response: ServerResponse) => void))[]) {
  const received: Received[] = [];
  let told = () => {};
  const server = createServer(async (request, response) => {
    const said = await text(request);
    const answer = answers.shift() ?? 200;
    received.push({ headers: request.headers, text: said, body: JSON.parse(said) });
    if (typeof answer === 'number') response.writeHead(answer).end();
    else answer(response);
    told();
  }).listen(0, '127.0.0.1');
  server.keepAliveTimeout = 0;
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    /** Resolves after this number of requests. */
    async until(count: number): Promise<void> {
      while (received.length < count) await new Promise<void>((resolve) => (told = resolve));
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
