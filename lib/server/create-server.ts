import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Logger } from 'pino';
import type { HookConfigs, LiveHooks } from '../config/index.ts';
import type { Tool } from '../pipeline/define/tool.ts';
import { configRoutes } from './config/config-routes.ts';
import { problemOf } from './http/problem.ts';
import { refusalHeaders, refuse } from './http/refuse.ts';
import type { RequestInfo } from './http/request-info.ts';
import { type Route, type RouteGroup, routeGroup } from './http/route.ts';
import { openApi, openApiRoute } from './openapi/openapi.ts';
import { servePage } from './screens/serve-page.ts';
import type { ServerEnv } from './security/caller.ts';
import { createFailedLogins, type LoginLimits } from './security/failed-logins.ts';
import { guardApi, guardRequest } from './security/guard.ts';
import { withSecurityHeaders } from './security/security-headers.ts';
import type { Tokens } from './tokens.ts';

/** Options of `createServer`. */
export interface ServerOptions {
  readonly configs: HookConfigs;
  readonly live: LiveHooks;
  readonly tokens: Tokens;
  /** Accepted values of the Host header, port included: `localhost:8080`. */
  readonly allowedHosts?: readonly string[];
  /** The available tools, for `explain`. Default: `explain` accepts any tool name. */
  readonly tools?: readonly Tool[];
  /** Additional routes, with the same security rules. */
  readonly extra?: readonly RouteGroup[];
  readonly log?: Pick<Logger, 'error'>;
  readonly loginLimits?: LoginLimits;
  /** Serves the inspector at `/` (default: false). Its files need no token, but it shows nothing without one. */
  readonly page?: boolean;
  /** Version in the OpenAPI document (default: `0`). */
  readonly version?: string;
}

/** The HTTP API as a function from `Request` to `Response`. Mount it in any web framework. */
export interface HooklineServer {
  readonly routes: readonly Route[];
  fetch(request: Request, info?: RequestInfo): Promise<Response>;
  /** Accepts another Host header, port included. Call it if the port is known only after `createServer`. */
  allowHost(host: string): void;
}

/** Creates the HTTP API with all routes and security rules. An error response has the body `{ error: { code, message, issues? } }`. */
export function createServer(options: ServerOptions): HooklineServer {
  const { configs, live, tokens, tools, extra = [], log, version = '0' } = options;
  const hosts = new Set((options.allowedHosts ?? []).map((host) => host.toLowerCase()));
  const addresses = new WeakMap<Request, string>();
  const groups: readonly RouteGroup[] = [
    routeGroup(configRoutes, { configs, live, tools }),
    ...extra,
    routeGroup([openApiRoute], () => openApi(routes, version)),
  ];
  const routes: readonly Route[] = groups.flatMap((group) => group.routes);
  const app = new Hono<ServerEnv>();
  const failed = createFailedLogins(options.loginLimits);
  app.use(guardRequest(hosts));
  if (options.page) servePage(app);
  app.use(guardApi(tokens, failed, (request) => addresses.get(request) ?? 'unknown'));
  for (const group of groups) group.mount(app);
  app.notFound(({ req }) => {
    const methods = otherMethods(routes, req.path);
    if (methods.length === 0) throw refuse(404, `There is no ${req.path}. /api/openapi.json lists all paths.`);
    throw refuse(405, `${req.path} does not support ${req.method}. Use ${methods.join(', ')}.`, {
      allow: methods.join(', '),
    });
  });
  app.onError((thrown, c) => {
    if (thrown instanceof HTTPException) {
      const error = { code: `HTTP_${thrown.status}`, message: thrown.message };
      return Response.json({ error }, { status: thrown.status, headers: refusalHeaders(thrown) });
    }
    const { status, problem } = problemOf(thrown);
    if (status >= 500) log?.error({ err: thrown, method: c.req.method, path: c.req.path }, 'a request failed');
    return Response.json(problem, { status });
  });
  return {
    routes,
    async fetch(request, { address, hangUp } = {}) {
      if (address !== undefined) addresses.set(request, address);
      return withSecurityHeaders(await app.fetch(request, { hangUp }));
    },
    allowHost: (host) => void hosts.add(host.toLowerCase()),
  };
}

/** The methods of a path, sorted. Empty if the path does not exist. */
function otherMethods(routes: readonly Route[], path: string): readonly string[] {
  const methods = routes.flatMap((route) => (matches(route.path, path) ? [route.method] : []));
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort();
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
  );
}
