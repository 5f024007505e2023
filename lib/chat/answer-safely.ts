import type { Logger } from '../pipeline/logger.ts';
import { refusalResponse, refuse } from './refusal.ts';

/** Answers requests with `handle`. Errors are logged, and the client gets a reference to the log. */
export function answerSafely(
  log: Logger,
  handle: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      return await handle(request);
    } catch (err) {
      log.error({ err }, 'a chat request failed');
      return refusalResponse(refuse(500, 'FAILED', 'The request failed. See the server log.'));
    }
  };
}
