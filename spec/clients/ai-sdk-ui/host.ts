import { type UiMessageStreamHandlerOptions, uiMessageStreamHandler } from '../../../lib/adapters/ai-sdk-ui/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { serve } from '../serve.ts';

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
      log: silentLogger,
      ...parts,
    });
  let handler = handlerOf(options);
  const { origin, close } = await serve((request) => pages(new URL(request.url).pathname) ?? handler(request));
  return {
    api: `${origin}/api/chat`,
    use(parts) {
      handler = handlerOf(parts);
    },
    close,
  };
}
