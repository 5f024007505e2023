import type { Logger } from '../pipeline/logger.ts';
import { refusalResponse, refuse } from './refusal.ts';

/** Answers requests with `handle`; what it throws goes to the log, and the client is told where to look. */
export function answerSafely(
  log: Logger,
  handle: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      return await handle(request);
    } catch (err) {
      log.error({ err }, 'a request of a chat failed');
      return refusalResponse(refuse(500, 'FAILED', 'The request failed. The log of the server says why.'));
    }
  };
}
