import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { isStateless } from '../proxy/ask-client.ts';
import { errorReply, type Read, readMessage } from '../proxy/json-rpc.ts';
import type { SessionOptions } from '../proxy/session-options.ts';
import { type ClientSession, openClientSession } from './client-session.ts';
import { createClientStream } from './event-stream.ts';
import { type Fault, readBody } from './guard-request.ts';
import type { HeaderFields, Origin } from './mirrored-headers.ts';
import type { RemoteServer } from './remote-server.ts';

/** Answers the requests of MCP clients at one address. */
export interface ClientService {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** Sessions at a time, those of single requests included. */
const MAX_SESSIONS = 1_000;
const IDLE_MS = 30 * 60_000;
/** The first revision without sessions. */
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

  const full = (): Fault | undefined =>
    sessions.size + single.size >= MAX_SESSIONS
      ? { status: 503, why: `There are ${MAX_SESSIONS} sessions already; come again later.` }
      : undefined;

  async function post(request: IncomingMessage, response: ServerResponse): Promise<Fault | undefined> {
    const body = await readBody(request);
    if (typeof body !== 'string') return body;
    let read: Read;
    try {
      read = readMessage(body);
    } catch (thrown) {
      return { status: 400, why: `The message is not passed on: ${messageOf(thrown)}.` };
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
  ): Promise<Fault | undefined> {
    const { method, id } = origin.message;
    if (method !== undefined && id !== undefined && id !== null) {
      const stream = createClientStream(response, ownHeaders, change);
      if (session.request(text, origin, stream)) return undefined;
      return { status: 400, why: 'A request of this id is under way.' };
    }
    const refusal = await session.notify(text, origin);
    response.writeHead(refusal?.status ?? 202, change(refusal?.headers ?? {})).end();
    return undefined;
  }

  /** A request of the protocol without sessions: it has a session to itself here, and its connection is its life. */
  async function alone(text: string, origin: Origin, response: ServerResponse): Promise<Fault | undefined> {
    const fault = full();
    if (fault) return fault;
    const end = (): void => {
      if (single.delete(session)) void session.end();
    };
    const session = openClientSession(options, server, end);
    single.add(session);
    response.once('close', end);
    return requestIn(session, text, origin, response);
  }

  function begin(text: string, origin: Origin, response: ServerResponse): Promise<Fault | undefined> | Fault {
    const fault = full();
    if (fault) return fault;
    const id = crypto.randomUUID();
    const session = openClientSession(options, server, ({ method }, answer) => {
      const failed = answer === undefined || JSON.parse(answer).error !== undefined;
      if (method === 'initialize' && failed) void endSession(id);
    });
    sessions.set(id, session);
    return requestIn(session, text, origin, response, { 'mcp-session-id': id });
  }

  async function listen(request: IncomingMessage, response: ServerResponse): Promise<Fault | undefined> {
    const session = sessions.get(String(request.headers['mcp-session-id']));
    if (!session) return unknown(request.headers['mcp-session-id']);
    if (session.listening) return { status: 409, why: 'Somebody listens already in this session.' };
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

  async function remove(request: IncomingMessage, response: ServerResponse): Promise<Fault | undefined> {
    const id = String(request.headers['mcp-session-id']);
    if (!sessions.has(id)) return unknown(request.headers['mcp-session-id']);
    await endSession(id);
    response.writeHead(200).end();
    return undefined;
  }

  const methods: Readonly<Record<string, typeof post>> = { POST: post, GET: listen, DELETE: remove };
  return {
    async handle(request, response) {
      const fault = await (methods[request.method ?? '']?.(request, response) ?? {
        status: 405,
        why: 'POST, GET and DELETE are taken here.',
      });
      if (fault) refuse(response, fault);
    },
    async close() {
      clearInterval(sweep);
      await Promise.all([...sessions.keys()].map(endSession));
      await Promise.all([...single].map((session) => session.end()));
    },
  };
}

/** Answers with an error that belongs to no request. */
export function refuse(response: ServerResponse, { status, why }: Fault): void {
  if (response.headersSent) return void response.destroy();
  const close = status === 413 ? { connection: 'close' } : {};
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...close });
  response.end(JSON.stringify(errorReply(null, -32000, why)));
}

function unknown(id: unknown): Fault {
  if (id === undefined) return { status: 400, why: 'The header Mcp-Session-Id is missing: begin with initialize.' };
  return { status: 404, why: 'There is no such session (any more): begin anew with initialize.' };
}

/** The headers of a request; of one that came twice, all that was said. */
function fieldsOf({ headers }: IncomingMessage): HeaderFields {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
