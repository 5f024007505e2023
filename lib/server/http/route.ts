import type { Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { z } from 'zod';
import { type Caller, demand, type Right, type ServerEnv } from '../caller.ts';
import { readBody } from './read-body.ts';
import { readQuery } from './read-query.ts';

/** What a handler is given: the parts of a request, checked by the schemas of its route. */
export interface RouteCall<Body = unknown, Query = unknown> {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The body as it was sent; empty where the route has none. */
  readonly text: string;
  readonly c: Context<ServerEnv>;
}

/** An answer as the OpenAPI document tells of it. Without a schema it has no body, or none of JSON. */
export interface RouteResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Default: `application/json`. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation of the API. Documentation and behaviour are made of the same. */
export interface Route<Deps = never, Body = never, Query = never> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With parameters as hono writes them: `/api/runs/:id/events`. */
  readonly path: string;
  /** What the token has to allow; `any`: every token will do. */
  readonly right: Right | 'any';
  readonly summary: string;
  readonly description?: string;
  /** Of a JSON body; without one, the body is not read. */
  readonly body?: z.ZodType;
  /** Of the query string; without one, none is allowed. */
  readonly query?: z.ZodType;
  /** Request headers that the route heeds, with what they do. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  handle(call: RouteCall<Body, Query>, deps: Deps): Response | Promise<Response>;
}

/** Keeps the types of body and query for the handler. `Deps` comes from the annotation of its second parameter. */
export function defineRoute<Deps = unknown, B extends z.ZodType = z.ZodNever, Q extends z.ZodType = z.ZodNever>(
  route: Omit<Route, 'body' | 'query' | 'handle'> & {
    readonly body?: B;
    readonly query?: Q;
    handle(call: RouteCall<z.output<B>, z.output<Q>>, deps: Deps): Response | Promise<Response>;
  },
): Route<Deps> {
  return route as Route<Deps>;
}

/** Routes with what their handlers work on. */
export interface RouteGroup {
  readonly routes: readonly Route[];
  mount(app: Hono<ServerEnv>): void;
}

/** Binds routes to what their handlers need, so that they can be mounted and documented. */
export function routeGroup<Deps>(routes: readonly Route<Deps>[], deps: Deps): RouteGroup {
  return { routes: routes as readonly Route[], mount: (app) => mount(app, routes, deps) };
}

/** Registers routes: right, query and body are checked before a handler sees the request. */
export function mount<Deps>(app: Hono<ServerEnv>, routes: readonly Route<Deps>[], deps: Deps): void {
  for (const route of routes) {
    app.on(route.method, route.path, async (c) => {
      const caller = c.get('caller');
      if (!caller) throw new HTTPException(401, { message: 'A token is needed.' });
      if (route.right !== 'any') demand(caller, route.right);
      const query = readQuery(c, route.query);
      const { text, body } = route.body ? await readBody(c, route.body) : { text: '', body: undefined };
      const call: RouteCall = { caller, params: c.req.param(), query, body, text, c };
      return route.handle(call as RouteCall<never, never>, deps);
    });
  }
}
