import { setTimeout as after } from 'node:timers/promises';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { isStateless } from '../proxy/ask-client.ts';
import { errorReply, type RpcId, type RpcMessage } from '../proxy/json-rpc.ts';
import { bytesOf, describe, hostOf, isStream, readText, whyOf } from './http-response.ts';
import { type HeaderFields, mirroredHeaders, type Origin, passedOn } from './mirrored-headers.ts';
import { readEvents, type StreamEnd } from './read-events.ts';
import type { Refusal, RemoteServer } from './remote-server.ts';

/** Receives what a server sends. */
export interface RemoteEnds {
  /** Receives a message, on one line. `about` is the client's request whose response contained it. */
  take(text: string, about: RpcId | undefined, eventId: string | undefined): void;
  /** Called before the error message that `take` receives for the refusal. */
  refused(refusal: Refusal, about: RpcId | undefined): void;
  /** Called if the server streams its response. */
  streamed(about: RpcId | undefined): void;
  /** Resolves when more can be received. */
  ready(about: RpcId | undefined): Promise<unknown> | undefined;
}

/** A session with a server. The newer protocol has no sessions. */
export interface Remote {
  /** Sends a message and resolves when it is accepted. Resolves with a refusal only if it is not a request. `take` gets the response. */
  send(text: string, about: RpcId | undefined, origin: Origin | undefined): Promise<Refusal | undefined>;
  /** Listens for messages without a request until `signal` aborts. Resolves then, or with a refusal. `over` gets the end of the stream. */
  listen(headers: HeaderFields, signal: AbortSignal, over: (end: StreamEnd) => void): Promise<Refusal | undefined>;
  /** Resolves when no request is pending. */
  quiet(): Promise<void>;
  /** Ends the session and all pending requests. */
  close(): Promise<void>;
}

/** The maximum length of a message, in characters. */
const MAX_MESSAGE = 64 * 1_024 * 1_024;
const NOTICE_MS = 30_000;
const CLOSE_TIMEOUT_MS = 2_000;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** The maximum number of consecutive streams without a new event. */
const MAX_RETRIES = 5;
const BOTH = 'application/json, text/event-stream';

export function connectRemote({ url, headers: own = {} }: RemoteServer, ends: RemoteEnds): Remote {
  const fixed = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]));
  const closing = new AbortController();
  const underWay = new Map<RpcId, { readonly stop: AbortController; readonly stateless: boolean }>();
  const schemas = new Map<string, JsonObject>();
  let sessionId: string | undefined;
  let version: string | undefined;
  let last: HeaderFields = {};
  const pending = new Set<Promise<unknown>>();
  /** Messages that the server must receive before the next one. */
  let tail: Promise<unknown> = Promise.resolve();

  const fieldsOf = (given: HeaderFields): HeaderFields => ({
    ...(version !== undefined && { 'mcp-protocol-version': version }),
    ...passedOn(given),
    ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
    ...fixed,
  });

  const stream = (given: HeaderFields, signal: AbortSignal, lastId?: string): Promise<Response> =>
    fetch(url, {
      headers: {
        ...fieldsOf(given),
        accept: 'text/event-stream',
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      },
      redirect: 'manual',
      signal,
    });

  function deliver(text: string, request: RpcMessage | undefined, about: RpcId | undefined, eventId?: string): boolean {
    const line = text.replace(/[\r\n]+/g, ' ');
    const { method, id, result } = messageIn(line);
    const answers = request !== undefined && method === undefined && id === request.id;
    const agreed = result?.['protocolVersion'];
    if (answers && request.method === 'initialize') version = typeof agreed === 'string' ? agreed : undefined;
    if (answers && request.method === 'tools/list') learn(result);
    ends.take(line, about, eventId);
    return answers;
  }

  function learn(result: JsonObject | undefined): void {
    const tools = (result?.['tools'] ?? []) as { name?: string; inputSchema?: JsonObject }[];
    for (const { name, inputSchema } of tools) if (name && inputSchema) schemas.set(name, inputSchema);
  }

  async function post(
    text: string,
    message: RpcMessage,
    about: RpcId | undefined,
    origin: Origin | undefined,
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    const { id } = message;
    const awaited = message.method !== undefined && id !== undefined && id !== null;
    // A message without a client's request must not use the client's credentials.
    const given = origin?.headers ?? {};
    if (origin) last = given;
    const fail = (why: string): void => {
      if (awaited) deliver(JSON.stringify(errorReply(id, -32000, why)), message, about);
    };
    if (message.method === 'initialize') sessionId = undefined;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          ...fieldsOf(given),
          ...mirroredHeaders(message, origin, schemas),
          'content-type': 'application/json',
          accept: BOTH,
        },
        body: text,
        redirect: 'manual',
        signal,
      });
      if (!response.ok) return await refused(response, message, about, fail);
      if (message.method === 'initialize') sessionId = response.headers.get('mcp-session-id') ?? undefined;
      if (!awaited) return void (await response.body?.cancel());
      if (!isStream(response)) {
        if (!deliver(await readText(response, MAX_MESSAGE), message, about))
          fail('The MCP server sent a response to another request.');
        return undefined;
      }
      ends.streamed(about);
      await follow(response, given, message, about, signal, fail);
    } catch (thrown) {
      if (signal.aborted && !closing.signal.aborted && awaited) return undefined;
      fail(`The MCP server at ${hostOf(url)} is unreachable, or closed the connection: ${whyOf(thrown)}.`);
      if (!awaited) return { status: 502, headers: {} };
    }
    return undefined;
  }

  /** Reads the response until the answer arrives, across all streams over which the server resumes it. */
  async function follow(
    first: Response,
    given: HeaderFields,
    message: RpcMessage,
    about: RpcId | undefined,
    signal: AbortSignal,
    fail: (why: string) => void,
  ): Promise<void> {
    let [response, cursor, left] = [first, undefined as string | undefined, MAX_RETRIES];
    for (;;) {
      let answered = false;
      const { lastId, retryMs } = await readEvents(bytesOf(response), MAX_MESSAGE, async ({ data }) => {
        if (data !== '' && !answered) answered = deliver(data, message, about);
        left = MAX_RETRIES;
        await ends.ready(about);
      });
      cursor = lastId ?? cursor;
      if (answered) return;
      if (cursor === undefined || left-- === 0) return fail('The MCP server ended its response early.');
      await after(Math.min(retryMs ?? RETRY_MS, MAX_RETRY_MS), undefined, { signal });
      response = await stream(given, signal, cursor);
      if (!response.ok) return void (await refused(response, message, about, fail));
    }
  }

  async function refused(
    response: Response,
    message: RpcMessage,
    about: RpcId | undefined,
    fail: (why: string) => void,
  ): Promise<Refusal> {
    const { status, headers } = response;
    const body = await readText(response, 64 * 1_024).catch(() => '');
    const passed = ['www-authenticate', 'retry-after'].flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    // The client cannot log in if the proxy's own login was rejected.
    const own = fixed['authorization'] !== undefined && (status === 401 || status === 403);
    const refusal: Refusal = { status: own ? 502 : status, headers: Object.fromEntries(own ? [] : passed) };
    ends.refused(refusal, about);
    const { error } = messageIn(body);
    if (typeof error === 'object' && typeof error?.message === 'string' && message.id !== undefined)
      deliver(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }), message, about);
    else fail(describe(status, headers.get('location'), body));
    return refusal;
  }

  return {
    send(text, about, origin) {
      const message = messageIn(text);
      const { id, method } = message;
      const cancelled = method === 'notifications/cancelled' ? (message.params?.['requestId'] as RpcId) : undefined;
      const start = async (): Promise<Refusal | undefined> => {
        const isRequest = method !== undefined && id !== undefined && id !== null;
        if (!isRequest) {
          const open = cancelled === undefined ? undefined : underWay.get(cancelled);
          const late = AbortSignal.timeout(NOTICE_MS);
          // In the protocol without sessions, closing the connection cancels a request.
          const refusal = open?.stateless
            ? undefined
            : await post(text, message, about, origin, AbortSignal.any([closing.signal, late]));
          open?.stop.abort();
          return refusal;
        }
        const open = { stop: new AbortController(), stateless: isStateless(message) };
        underWay.set(id, open);
        return post(text, message, about, origin, AbortSignal.any([closing.signal, open.stop.signal])).finally(() => {
          if (underWay.get(id) === open) underWay.delete(id);
        });
      };
      const started = tail.then(start);
      pending.add(started);
      void started.then(() => pending.delete(started));
      if (method === undefined || id === undefined || method === 'initialize') tail = started;
      return started;
    },
    async listen(headers, signal, over) {
      const both = AbortSignal.any([closing.signal, signal]);
      const response = await stream(headers, both, headers['last-event-id']);
      if (!response.ok || !isStream(response)) {
        await response.body?.cancel();
        return { status: response.ok ? 405 : response.status, headers: {} };
      }
      void readEvents(bytesOf(response), MAX_MESSAGE, async ({ data, id }) => {
        if (data !== '') deliver(data, undefined, undefined, id);
        await ends.ready(undefined);
      })
        .catch((): StreamEnd => ({ lastId: undefined, retryMs: undefined }))
        .then(over);
      return undefined;
    },
    async quiet() {
      while (pending.size > 0) await Promise.all(pending);
    },
    async close() {
      const timeout = AbortSignal.timeout(CLOSE_TIMEOUT_MS);
      closing.abort(new Error('the session is over'));
      if (sessionId === undefined) return;
      await fetch(url, { method: 'DELETE', headers: fieldsOf(last), redirect: 'manual', signal: timeout })
        .then((response) => response.body?.cancel())
        .catch(() => {});
    },
  };
}

function messageIn(text: string): RpcMessage {
  try {
    return (JSON.parse(text) ?? {}) as RpcMessage;
  } catch {
    return {} as RpcMessage;
  }
}
