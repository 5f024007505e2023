import type { RpcId, RpcMessage } from '../proxy/json-rpc.ts';
import { openSession } from '../proxy/session.ts';
import type { McpSession, SessionOptions } from '../proxy/session-options.ts';
import type { ClientStream } from './event-stream.ts';
import type { Origin } from './mirrored-headers.ts';
import { connectRemote, type Remote } from './remote.ts';
import type { Refusal, RemoteServer } from './remote-server.ts';

/** A client over HTTP, with its own session at the server. Its headers are used for no other client. */
export interface ClientSession {
  readonly remote: Remote;
  /** When the client became idle, by `performance.now()`. `undefined` while it waits for a message. */
  readonly idleSince: number | undefined;
  /** The stream for messages that the server sends without a request. */
  listening: ClientStream | undefined;
  /** Forwards a request whose answer goes to `stream`. Returns false if a request with this id is pending. */
  request(text: string, origin: Origin, stream: ClientStream): boolean;
  /** Forwards a message without an answer. Resolves with the refusal, if the server rejected it. */
  notify(text: string, origin: Origin): Promise<Refusal | undefined>;
  end(): Promise<void>;
}

interface Exchange {
  readonly origin: Origin;
  readonly stream: ClientStream;
}

/** Calls `settled` when a request has its answer. */
export function openClientSession(
  options: SessionOptions,
  server: RemoteServer,
  settled: (message: RpcMessage, answer: string | undefined) => void,
): ClientSession {
  const exchanges = new Map<RpcId, Exchange>();
  let used = performance.now();
  let current: Origin | undefined;
  let eventId: string | undefined;
  let sent: Promise<Refusal | undefined> | undefined;

  const close = (id: RpcId, text?: string): void => {
    const exchange = exchanges.get(id);
    exchanges.delete(id);
    used = performance.now();
    exchange?.stream.end(text);
    if (exchange) settled(exchange.origin.message, text);
  };
  const streamFor = (about: RpcId | undefined): ClientStream | undefined => {
    const own = about === undefined ? undefined : exchanges.get(about)?.stream;
    const open = own ?? client.listening ?? [...exchanges.values()].findLast(({ stream }) => !stream.closed)?.stream;
    return open?.closed ? undefined : open;
  };

  const session: McpSession = openSession(options, {
    answer: (text, id) => id !== null && close(id, text),
    dropped: (id) => close(id),
    toClient(text, about) {
      const stream = streamFor(about);
      if (stream) stream.write(text, stream === client.listening ? eventId : undefined);
      else options.log.debug({ about }, 'dropped a message for a disconnected MCP client');
    },
    toServer(text, about) {
      const origin = about === undefined ? current : exchanges.get(about)?.origin;
      sent = remote.send(text, about, origin);
    },
  });
  const remote = connectRemote(server, {
    take(text, about, id) {
      eventId = id;
      session.fromServer(text, about);
      eventId = undefined;
    },
    refused(refusal, about) {
      const exchange = about === undefined ? undefined : exchanges.get(about);
      if (exchange) exchange.stream.refusal = refusal;
    },
    streamed(about) {
      const exchange = about === undefined ? undefined : exchanges.get(about);
      if (exchange) exchange.stream.streamed = true;
    },
    ready: (about) => streamFor(about)?.ready(),
  });
  const pass = (text: string, origin: Origin): void => {
    used = performance.now();
    current = origin;
    session.fromClient(text);
    current = undefined;
  };

  const client: ClientSession = {
    remote,
    listening: undefined,
    get idleSince() {
      // A client that disconnected during a call does not wait for its answer.
      const waits = [...exchanges.values()].some(({ stream }) => !stream.closed);
      return waits || client.listening ? undefined : used;
    },
    request(text, origin, stream) {
      const id = origin.message.id as RpcId;
      if (exchanges.has(id)) return false;
      exchanges.set(id, { origin, stream });
      pass(text, origin);
      return true;
    },
    async notify(text, origin) {
      sent = undefined;
      pass(text, origin);
      return await sent;
    },
    async end() {
      client.listening?.end();
      await Promise.all([session.end(), remote.close()]).catch((err: unknown) =>
        options.log.error({ err }, 'the session of an MCP client ended with an error'),
      );
      for (const id of [...exchanges.keys()]) close(id);
    },
  };
  return client;
}
