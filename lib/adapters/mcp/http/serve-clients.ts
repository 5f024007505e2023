import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { isStateless } from '../proxy/ask-client.ts';
import { errorReply, type Read, readMessage } from '../proxy/json-rpc.ts';
import type { SessionOptions } from '../proxy/session-options.ts';
import { type ClientSession, openClientSession } from './client-session.ts';
import { createClientStream } from './event-stream.ts';
import { type Rejection, readBody } from './guard-request.ts';
import type { HeaderFields, Origin } from './mirrored-headers.ts';
import type { RemoteServer } from './remote-server.ts';

/** Serves MCP clients at one address. */
export interface ClientService {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** The maximum number of concurrent sessions, including those of single requests. */
const MAX_SESSIONS = 1_000;
const IDLE_MS = 30 * 60_000;
/** The first protocol revision without sessions. */
const STATELESS = '2026';

export function serveClients(
  options: SessionOptions,
  server: RemoteServer,
  change: (headers: HeaderFields) => HeaderFields,
): ClientService {
  const sessions = new Map<string, ClientSession>();
  const single = new Set<ClientSession>();
  const sweep = setInterval(() => {
    for (const [id, { idleSince }] of sessions)
      if (idleSince !== undefined && performance.now() - idleSince > IDLE_MS) void endSession(id);
  }, 60_000);
  sweep.unref();

  async function endSession(id: string): Promise<void> {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.end();
  }

  const full = (): Rejection | undefined =>
    sessions.size + single.size >= MAX_SESSIONS
      ? { status: 503, why: `The proxy has ${MAX_SESSIONS} sessions, which is the limit. Try again later.` }
      : undefined;

  async function post(request: IncomingMessage, response: ServerResponse): Promise<Rejection | undefined> {
    const body = await readBody(request);
    if (typeof body !== 'string') return body;
    let read: Read;
    try {
      read = readMessage(body);
    } catch (thrown) {
      return { status: 400, why: `The proxy rejected the message: ${messageOf(thrown)}.` };
    }
    const { text, message } = read;
    const origin: Origin = { message, headers: fieldsOf(request) };
    const given = request.headers['mcp-session-id'];
    const modern = isStateless(message) || (origin.headers['mcp-protocol-version'] ?? '') >= STATELESS;
    if (modern) return alone(text, origin, response);
    if (message.method === 'initialize' && given === undefined) return begin(text, origin, response);
    const session = sessions.get(String(given));
    if (!session) return unknown(given);
    return requestIn(session, text, origin, response);
  }

  async function requestIn(
    session: ClientSession,
    text: string,
    origin: Origin,
    response: ServerResponse,
    ownHeaders?: HeaderFields,
  ): Promise<Rejection | undefined> {
    const { method, id } = origin.message;
    if (method !== undefined && id !== undefined && id !== null) {
      const stream = createClientStream(response, ownHeaders, change);
      if (session.request(text, origin, stream)) return undefined;
      return { status: 400, why: 'The ID of the request is already in use.' };
    }
    const refusal = await session.notify(text, origin);
    response.writeHead(refusal?.status ?? 202, change(refusal?.headers ?? {})).end();
    return undefined;
  }

  /** Handles a request of the protocol without sessions. It gets its own session, which ends when its connection closes. */
  async function alone(text: string, origin: Origin, response: ServerResponse): Promise<Rejection | undefined> {
    const rejection = full();
    if (rejection) return rejection;
    const end = (): void => {
      if (single.delete(session)) void session.end();
    };
    const session = openClientSession(options, server, end);
    single.add(session);
    response.once('close', end);
    return requestIn(session, text, origin, response);
  }

  function begin(text: string, origin: Origin, response: ServerResponse): Promise<Rejection | undefined> | Rejection {
    const rejection = full();
    if (rejection) return rejection;
    const id = crypto.randomUUID();
    const session = openClientSession(options, server, ({ method }, answer) => {
      const failed = answer === undefined || JSON.parse(answer).error !== undefined;
      if (method === 'initialize' && failed) void endSession(id);
    });
    sessions.set(id, session);
    return requestIn(session, text, origin, response, { 'mcp-session-id': id });
  }

  async function listen(request: IncomingMessage, response: ServerResponse): Promise<Rejection | undefined> {
    const session = sessions.get(String(request.headers['mcp-session-id']));
    if (!session) return unknown(request.headers['mcp-session-id']);
    if (session.listening) return { status: 409, why: 'This session already has an open stream.' };
    const stop = new AbortController();
    const stream = createClientStream(response);
    session.listening = stream;
    response.once('close', () => {
      stop.abort();
      if (session.listening === stream) session.listening = undefined;
    });
    const refusal = await session.remote
      .listen(fieldsOf(request), stop.signal, () => stream.end())
      .catch(() => ({ status: 502, headers: {} }));
    if (!refusal) stream.begin();
    else if (!response.headersSent) response.writeHead(refusal.status, change(refusal.headers)).end();
    return undefined;
  }

  async function remove(request: IncomingMessage, response: ServerResponse): Promise<Rejection | undefined> {
    const id = String(request.headers['mcp-session-id']);
    if (!sessions.has(id)) return unknown(request.headers['mcp-session-id']);
    await endSession(id);
    response.writeHead(200).end();
    return undefined;
  }

  const methods: Readonly<Record<string, typeof post>> = { POST: post, GET: listen, DELETE: remove };
  return {
    async handle(request, response) {
      const rejection = await (methods[request.method ?? '']?.(request, response) ?? {
        status: 405,
        why: 'Use POST, GET or DELETE.',
      });
      if (rejection) refuse(response, rejection);
    },
    async close() {
      clearInterval(sweep);
      await Promise.all([...sessions.keys()].map(endSession));
      await Promise.all([...single].map((session) => session.end()));
    },
  };
}

/** Responds with an error that belongs to no request. */
export function refuse(response: ServerResponse, { status, why }: Rejection): void {
  if (response.headersSent) return void response.destroy();
  const close = status === 413 ? { connection: 'close' } : {};
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...close });
  response.end(JSON.stringify(errorReply(null, -32000, why)));
}

function unknown(id: unknown): Rejection {
  if (id === undefined) return { status: 400, why: 'The header Mcp-Session-Id is missing: send initialize first.' };
  return { status: 404, why: 'Session not found: send initialize again.' };
}

/** Returns the headers of a request. Values of repeated headers are joined. */
function fieldsOf({ headers }: IncomingMessage): HeaderFields {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
