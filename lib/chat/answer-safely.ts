import type { Logger } from '../pipeline/logger.ts';
import { type Refusal, refusalResponse, refuse } from './refusal.ts';

/**
 * Answers requests with `handle`, and refusals with `toResponse` (default: as JSON). Errors are logged, and the client gets a reference to the
 * log.
 */
export function answerSafely(
  log: Logger,
  handle: (request: Request) => Promise<Response | Refusal>,
  toResponse = refusalResponse,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const answer = await handle(request);
      return answer instanceof Response ? answer : toResponse(answer);
    } catch (err) {
      log.error({ err }, 'a chat request failed');
      return toResponse(refuse(500, 'FAILED', 'The request failed. See the server log.'));
    }
  };
}
