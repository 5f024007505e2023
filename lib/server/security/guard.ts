import type { MiddlewareHandler } from 'hono';
import type { ServerEnv } from '../caller.ts';
import type { Tokens } from '../tokens.ts';
import { createAuthentication } from './authenticate.ts';
import { checkHost } from './check-host.ts';
import { checkMediaType } from './check-media-type.ts';
import { checkFetchSite, checkOrigin } from './check-origin.ts';
import type { FailedLogins } from './failed-logins.ts';
import { checkLength } from './limit-body.ts';

/** What stands before every route: the rules of security in their order; what asks the store comes last. */
export function guard(
  hosts: ReadonlySet<string>,
  tokens: Tokens,
  failed: FailedLogins,
  addressOf: (request: Request) => string,
): MiddlewareHandler<ServerEnv> {
  const authenticate = createAuthentication(tokens, failed);
  return async (c, next) => {
    const { raw } = c.req;
    checkHost(raw, hosts);
    checkOrigin(raw);
    checkFetchSite(raw);
    checkMediaType(raw);
    checkLength(raw);
    const address = addressOf(raw);
    c.set('address', address);
    c.set('caller', await authenticate(raw, address));
    await next();
  };
}
