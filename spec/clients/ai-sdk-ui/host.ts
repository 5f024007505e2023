import { type UiMessageStreamHandlerOptions, uiMessageStreamHandler } from '../../../lib/adapters/ai-sdk-ui/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { serve } from '../serve.ts';

/** A handler behind a real server on loopback. */
export interface Host {
  /** The address of the chat. */
  readonly api: string;
  /** Sets the handler for later requests. */
  use(options: HandlerParts): void;
  close(): Promise<void>;
}

export type HandlerParts = Partial<UiMessageStreamHandlerOptions> & Pick<UiMessageStreamHandlerOptions, 'agent'>;

/** Serves a handler and pages. The header `x-user` names the user of a request. */
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
