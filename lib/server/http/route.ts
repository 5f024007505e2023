import type { Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import { findSchemaIssues } from '../../config/issues/schema-issues.ts';
import { type Caller, demand, type Right, type ServerEnv } from '../security/caller.ts';
import { inputError } from './input-error.ts';
import { readBody } from './read-body.ts';

/** Argument of a handler: the parts of a request, validated by the schemas of its route. */
export interface RouteCall<Body = unknown, Query = unknown> {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The body as it was sent; empty if the route has none. */
  readonly text: string;
  readonly c: Context<ServerEnv>;
}

/** A response in the OpenAPI document. Without a schema, it has no JSON body. */
export interface RouteResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Media type (default: `application/json`). */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation of the API. Documentation and behaviour use the same definition. */
export interface Route<Deps = never, Body = never, Query = never> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path with parameters in the syntax of Hono: `/api/runs/:id/events`. */
  readonly path: string;
  /** The required right of the token; `any` accepts every token. */
  readonly right: Right | 'any';
  readonly summary: string;
  readonly description?: string;
  /** Schema of the JSON body. Without it, the body is not read. */
  readonly body?: z.ZodType;
  /** Maximum size of the body in bytes (default: 64 KiB). */
  readonly maxBytes?: number;
  /** Schema of the query string. Without it, no query is allowed. */
  readonly query?: z.ZodType;
  /** Request headers that the route reads, with their effects. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  handle(call: RouteCall<Body, Query>, deps: Deps): Response | Promise<Response>;
}

/** Infers the types of body and query for the handler. `Deps` is the annotation of its second parameter. */
export function defineRoute<Deps = unknown, B extends z.ZodType = z.ZodNever, Q extends z.ZodType = z.ZodNever>(
  route: Omit<Route, 'body' | 'query' | 'handle'> & {
    readonly body?: B;
    readonly query?: Q;
    handle(call: RouteCall<z.output<B>, z.output<Q>>, deps: Deps): Response | Promise<Response>;
  },
): Route<Deps> {
  return route as Route<Deps>;
}

/** Routes with the dependencies of their handlers. */
export interface RouteGroup {
  readonly routes: readonly Route[];
  mount(app: Hono<ServerEnv>): void;
}

/** Binds routes to the dependencies of their handlers, to mount and document them. */
export function routeGroup<Deps>(routes: readonly Route<Deps>[], deps: Deps): RouteGroup {
  return { routes: routes as readonly Route[], mount: (app) => mount(app, routes, deps) };
}

/** Registers routes. Right, query and body are checked before the handler is called. */
export function mount<Deps>(app: Hono<ServerEnv>, routes: readonly Route<Deps>[], deps: Deps): void {
  for (const route of routes) {
    app.on(route.method, route.path, async (c) => {
      const caller = c.get('caller');
      if (!caller) throw new HTTPException(401, { message: 'The token is missing.' });
      if (route.right !== 'any') demand(caller, route.right);
      const query = readQuery(c, route.query);
      const { text, body } = route.body ? await readBody(c, route.body, route.maxBytes) : { text: '', body: undefined };
      const call: RouteCall = { caller, params: c.req.param(), query, body, text, c };
      return route.handle(call as RouteCall<never, never>, deps);
    });
  }
}

const none = z.strictObject({});

/** Reads the query string. A repeated name is a list. An invalid query is `INPUT_INVALID`. */
function readQuery(c: Context<ServerEnv>, schema: z.ZodType = none): unknown {
  const entries = Object.entries(c.req.queries()).map(([name, values]) => [
    name,
    values.length > 1 ? values : values[0],
  ]);
  const query = Object.fromEntries(entries);
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  const issues = findSchemaIssues(schema, query);
  const file = `the query of ${c.req.method} ${c.req.path}`;
  throw inputError(issues.map((issue) => ({ ...issue, file, line: 1, column: 1 })));
}
