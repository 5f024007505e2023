import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { type UiMessageStreamHandlerOptions, uiMessageStreamHandler } from '../../../lib/adapters/ai-sdk-ui/index.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A handler behind a real server on loopback. */
export interface Host {
  /** Where the chat is. */
  readonly api: string;
  /** The handler that answers from now on. */
  use(options: HandlerParts): void;
  close(): Promise<void>;
}

export type HandlerParts = Partial<UiMessageStreamHandlerOptions> & Pick<UiMessageStreamHandlerOptions, 'agent'>;

/** Serves a handler, and pages beside it; whose a request is stands in its header `x-user`. */
export async function createHost(
  options: HandlerParts,
  pages: (path: string) => Response | undefined = () => undefined,
): Promise<Host> {
  const handlerOf = (parts: HandlerParts) =>
    uiMessageStreamHandler({
      identify: ({ headers }) => (headers.has('x-user') ? { userId: headers.get('x-user') as string } : undefined),
      log: silent,
      ...parts,
    });
  let handler = handlerOf(options);
  const server = serve({
    fetch: (request) => pages(new URL(request.url).pathname) ?? handler(request),
    hostname: '127.0.0.1',
    port: 0,
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    api: `http://127.0.0.1:${port}/api/chat`,
    use(parts) {
      handler = handlerOf(parts);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
