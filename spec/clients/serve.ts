import type { AddressInfo } from 'node:net';
import { serve as serveOn } from '@hono/node-server';

/** Serves the responses of a function on loopback. */
export async function serve(
  fetch: (request: Request) => Response | Promise<Response>,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const server = serveOn({ fetch, hostname: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
