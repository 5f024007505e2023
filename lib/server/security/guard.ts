import type { MiddlewareHandler } from 'hono';
import type { Tokens } from '../tokens.ts';
import { createAuthentication } from './authenticate.ts';
import type { ServerEnv } from './caller.ts';
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
