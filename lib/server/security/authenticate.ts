import type { Caller } from '../caller.ts';
import { refuse } from '../http/refuse.ts';
import type { Tokens } from '../tokens.ts';
import type { FailedLogins } from './failed-logins.ts';

/**
 * Tells who sends a request by its bearer token (401 without a right one). A right one is never refused, however many wrong ones came before it; of
 * those an address that has sent too many is told to wait (429).
 */
export function createAuthentication(tokens: Tokens, failed: FailedLogins) {
  return async function authenticate({ headers }: Request, address: string): Promise<Caller> {
    const header = headers.get('authorization');
    if (header === null) throw unauthorized('A token is needed: Authorization: Bearer <token>.');
    const caller = await tokens.verify(/^Bearer +(\S+)$/i.exec(header)?.[1] ?? '');
    if (caller) return caller;
    const wait = failed.waitFor(address);
    if (wait > 0) throw refuse(429, `Too many failed logins; try again in ${wait} s.`, { 'retry-after': String(wait) });
    failed.add(address);
    throw unauthorized('The token is wrong, has expired or was revoked.', ', error="invalid_token"');
  };
}

function unauthorized(message: string, error = ''): Error {
  return refuse(401, message, { 'www-authenticate': `Bearer realm="hookline"${error}` });
}
