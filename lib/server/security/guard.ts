import type { MiddlewareHandler } from 'hono';
import { refuse } from '../http/refuse.ts';
import type { Tokens } from '../tokens.ts';
import type { Caller, ServerEnv } from './caller.ts';
import { checkHost } from './check-host.ts';
import { checkMediaType } from './check-media-type.ts';
import { checkFetchSite, checkOrigin } from './check-origin.ts';
import type { FailedLogins } from './failed-logins.ts';
import { checkLength } from './limit-body.ts';

/** Middleware with the rules that need no token. It runs before everything, including the page. */
export function guardRequest(hosts: ReadonlySet<string>): MiddlewareHandler<ServerEnv> {
  return async ({ req: { raw } }, next) => {
    checkHost(raw, hosts);
    checkOrigin(raw);
    checkFetchSite(raw);
    checkMediaType(raw);
    checkLength(raw);
    await next();
  };
}

/** Authentication middleware of the API. It runs last, because it reads the store. */
export function guardApi(
  tokens: Tokens,
  failed: FailedLogins,
  addressOf: (request: Request) => string,
): MiddlewareHandler<ServerEnv> {
  const authenticate = createAuthentication(tokens, failed);
  return async (c, next) => {
    const address = addressOf(c.req.raw);
    c.set('address', address);
    c.set('caller', await authenticate(c.req.raw, address));
    await next();
  };
}

/**
 * Returns the caller of a bearer token (401 for a missing or wrong one). A valid token is always accepted. An address
 * that has sent too many wrong tokens must wait (429).
 */
function createAuthentication(tokens: Tokens, failed: FailedLogins) {
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
