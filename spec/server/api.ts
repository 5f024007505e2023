import { createHookConfigs, createLiveHooks, type LiveHooks } from 'hookline/config';
import {
  createServer,
  createTokens,
  type HooklineServer,
  type Right,
  type ServerOptions,
  type Tokens,
} from 'hookline/server';
import type { DocumentStore } from '../../lib/store/documents/document-store.ts';
import { memoryStore } from '../../lib/store/documents/memory-store.ts';
import { written } from '../config/read.ts';

/** A server with all its dependencies, in memory. */
export interface Api {
  readonly server: HooklineServer;
  readonly tokens: Tokens;
  readonly store: DocumentStore;
  readonly live: LiveHooks;
  /** The configuration file of the server. */
  readonly file: string;
  /** Returns a token of a user, by default with all rights. */
  token(user?: string, rights?: readonly Right[], scopes?: readonly string[]): Promise<string>;
  ask(method: string, path: string, request?: Asked): Promise<Answer>;
  close(): Promise<void>;
}

export interface Asked {
  /** Default: a token of alice with all rights; null: none. */
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: specs look into it at many places
  readonly json: any;
}

export const HOST = 'localhost:8080';

export async function anApi(hooks: object = {}, options: Partial<ServerOptions> = {}): Promise<Api> {
  const file = written({ 'base.json': { hooks } })('base.json');
  const live = await createLiveHooks({
    files: [file],
    host: { options: { 'dangerous-confirmation': { askBy: 'suspend' } } },
  });
  const store = memoryStore();
  const tokens = createTokens(store);
  const server = createServer({
    configs: createHookConfigs(live, store),
    live,
    tokens,
    allowedHosts: [HOST],
    ...options,
  });
  const token: Api['token'] = (user = 'alice', rights = ['read', 'approve', 'configure', 'run'], scopes = []) =>
    tokens.issue({ user, rights: [...rights], scopes: [...scopes] });
  let usual: string | undefined;
  return {
    server,
    tokens,
    store,
    live,
    file,
    token,
    async ask(method, path, { token: given, body, headers, address } = {}) {
      if (given === undefined) usual ??= await token();
      const sent = given === undefined ? usual : given;
      const request = new Request(`http://${HOST}${path}`, {
        method,
        headers: {
          ...(sent && { authorization: `Bearer ${sent}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const response = await server.fetch(request, { address });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: text === '' ? undefined : JSON.parse(text),
      };
    },
    close: () => live.close(),
  };
}
