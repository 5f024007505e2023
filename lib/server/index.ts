export { type Caller, demand, type Right, rights, type ServerEnv } from './caller.ts';
export { createServer, type HooklineServer, type RequestInfo, type ServerOptions } from './create-server.ts';
export { firstToken } from './first-token.ts';
export { type Listening, type ListenOptions, listen } from './listen.ts';
export type { Problem } from './problem.ts';
export { defineRoute, type Route, type RouteCall, type RouteGroup, type RouteResponse, routeGroup } from './route.ts';
export type { LoginLimits } from './security/failed-logins.ts';
export { createTokens, type TokenGrant, type TokenInfo, type Tokens } from './tokens.ts';
