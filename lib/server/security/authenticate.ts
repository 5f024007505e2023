import { refuse } from '../http/refuse.ts';
import type { Tokens } from '../tokens.ts';
import type { Caller } from './caller.ts';
import type { FailedLogins } from './failed-logins.ts';

/**
 * Returns the caller of a bearer token (401 for a missing or wrong one). A valid token is always accepted. An address
 * that has sent too many wrong tokens must wait (429).
 */
export function createAuthentication(tokens: Tokens, failed: FailedLogins) {
  return async function authenticate({ headers }: Request, address: string): Promise<Caller> {
    const header = headers.get('authorization');
    if (header === null) throw unauthorized('The token is missing. Send the header Authorization: Bearer <token>.');
    const caller = await tokens.verify(/^Bearer +(\S+)$/i.exec(header)?.[1] ?? '');
    if (caller) return caller;
    const wait = failed.waitFor(address);
    if (wait > 0) throw refuse(429, `Too many failed logins; try again in ${wait} s.`, { 'retry-after': String(wait) });
    failed.add(address);
    throw unauthorized('The token is invalid, expired or revoked.', ', error="invalid_token"');
  };
}

function unauthorized(message: string, error = ''): Error {
  return refuse(401, message, { 'www-authenticate': `Bearer realm="hookline"${error}` });
}
