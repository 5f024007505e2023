import type { Caller } from '../caller.ts';
import { refuse } from '../refuse.ts';
import type { Tokens } from '../tokens.ts';
import type { FailedLogins } from './failed-logins.ts';

/** Tokens that are remembered to have been right once, at most. */
const MOST_KNOWN = 1_000;

/**
 * Tells who sends a request by its bearer token (401 without a right one). After too many failed logins the next ones are refused unseen (429);
 * tokens that were right before are looked at nevertheless, so that nobody is shut out by somebody else's guessing.
 */
export function createAuthentication(tokens: Tokens, failed: FailedLogins) {
  const known = new Set<string>();

  return async function authenticate({ headers }: Request, address: string): Promise<Caller> {
    const header = headers.get('authorization');
    if (header === null) throw unauthorized('A token is needed: Authorization: Bearer <token>.');
    const token = /^Bearer +(\S+)$/i.exec(header)?.[1] ?? '';
    const wait = known.has(token) ? 0 : failed.waitFor(address);
    if (wait > 0) throw refuse(429, `Too many failed logins; try again in ${wait} s.`, { 'retry-after': String(wait) });
    const caller = await tokens.verify(token);
    if (!caller) {
      known.delete(token);
      failed.add(address);
      throw unauthorized('The token is wrong, has expired or was revoked.', ', error="invalid_token"');
    }
    if (!known.has(token)) remember(token);
    return caller;
  };

  function remember(token: string): void {
    known.add(token);
    const [oldest] = known;
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  }
}

function unauthorized(message: string, error = ''): Error {
  return refuse(401, message, { 'www-authenticate': `Bearer realm="hookline"${error}` });
}
