// Mounts a function from Request to Response on node:http. A client that goes away ends the response.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A listener for `createServer` of node:http. */
export function onNode(handler: (request: Request) => Promise<Response>) {
  return async ({ method = 'GET', url = '/', headers }: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    let response: Response;
    try {
      const body = method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(outgoing.req);
      const init = { method, headers: headers as Record<string, string>, body, duplex: 'half' };
      response = await handler(new Request(new URL(url, 'http://127.0.0.1'), init as RequestInit));
    } catch (error) {
      console.error(error);
      response = new Response('The request could not be served.', { status: 500 });
    }
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (!response.body) outgoing.end();
    else {
      const sent = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
      // Whoever has gone away misses nothing.
      await pipeline(sent, outgoing).catch(() => {});
    }
  };
}
