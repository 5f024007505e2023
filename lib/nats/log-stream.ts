import { randomUUID } from 'node:crypto';
import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { Observable } from 'rxjs';
import { type Connection, type OpenConnection, WATCH } from './connection/connection.ts';
import { type Piece, pieceHeaders, pieceOf, piecesOf } from './connection/pieces.ts';
import type { Seal } from './seal.ts';

/** An addition to a log, with its sequence in the stream. */
export interface Logged {
  readonly data: Buffer;
  readonly sequence: number;
}

export interface LogEnd {
  readonly sequence: number;
  /** The id of the last addition. */
  readonly id: string | undefined;
  /** Whether all messages of the last addition are there. */
  readonly whole: boolean;
}

/** Append-only logs of sealed data in one stream. A name is a list of tokens, joined by dots. */
export interface LogStream {
  /**
   * Appends if the last addition has the sequence `after` (0: the log is empty). Returns the new sequence; undefined if another writer has appended.
   * A repeated call with the same `id` appends once.
   */
  append(name: string, data: Uint8Array, after: number, id: string): Promise<number | undefined>;
  /** Returns the additions of a log, oldest first, and the sequence of its last message, which may be of an unfinished addition. */
  read(name: string): Promise<{ readonly additions: readonly Logged[]; readonly end: number }>;
  /** Emits the additions so far, then new ones. Never completes. Continues after a reconnect. */
  follow(name: string): Observable<readonly Logged[]>;
  /** Returns the last message of a log, which may be of an unfinished addition. An empty log has the sequence 0. */
  last(name: string): Promise<LogEnd>;
  /** Removes a log. Returns false if it is empty. */
  remove(name: string): Promise<boolean>;
}

/** Limits of a stream. Default: none. */
export interface LogStreamOptions {
  readonly maxAgeMs?: number;
  readonly maxBytes?: number;
}

/** Maximum number of messages of a request. Each may have a megabyte, and NATS disconnects a client for which more than 64 MB wait. */
const BATCH = 32;
/** The shortest expiry of a request for messages. */
const LEAST_EXPIRY_MS = 1_000;
/** How long NATS keeps a consumer whose process has ended, in milliseconds. The default of the client is five minutes. */
const UNUSED_MS = 30_000;
/** Codes of JetStream: a write that expected another sequence, a missing message, a missing stream, and one with other limits. */
const WRONG_SEQUENCE = 10_071;
const NO_MESSAGE = 10_037;
const NO_STREAM = 10_059;
const STREAM_EXISTS = 10_058;
const NS_PER_MS = 1_000_000;

/** Opens a stream of logs, or creates it on first use. */
export function createLogStream(
  connection: Connection,
  seal: Seal,
  what: string,
  options: LogStreamOptions = {},
): LogStream {
  const { app, replicas } = connection.settings;
  const stream = `HOOKLINE_${app}_${what}`;
  const subjectOf = (name: string) => `hookline.v1.${app}.${what}.${name}`;
  let opening: Promise<void> | undefined;

  /** A server without the permission to create streams uses those of the others. */
  async function create({ manager }: OpenConnection): Promise<void> {
    try {
      await manager.streams.info(stream);
    } catch (thrown) {
      if ((thrown as { code?: unknown }).code !== NO_STREAM) throw thrown;
      await manager.streams.add({
        name: stream,
        subjects: [subjectOf('>')],
        num_replicas: replicas,
        allow_direct: true,
        max_age: (options.maxAgeMs ?? 0) * NS_PER_MS,
        max_bytes: options.maxBytes ?? -1,
        duplicate_window: Math.min(120_000, options.maxAgeMs ?? 120_000) * NS_PER_MS,
      });
    }
  }

  function opened(open: OpenConnection): Promise<void> {
    opening ??= create(open).catch((thrown: unknown) => {
      opening = undefined;
      // Another server has created it at the same time, with other limits.
      if ((thrown as { code?: unknown }).code !== STREAM_EXISTS) throw thrown;
    });
    return opening;
  }

  const use = <T>(doing: string, work: (open: OpenConnection) => Promise<T>): Promise<T> =>
    connection.use(`${doing} in ${stream}`, async (open) => {
      await opened(open);
      return work(open);
    });

  async function lastMessage({ manager }: OpenConnection, name: string) {
    try {
      return await manager.streams.getMessage(stream, { last_by_subj: subjectOf(name) });
    } catch (thrown) {
      if ((thrown as { code?: unknown }).code === NO_MESSAGE) return null;
      throw thrown;
    }
  }

  /** Appends a message, again if the server did not acknowledge it. */
  async function publish(open: OpenConnection, name: string, data: Buffer, after: number, piece: Piece) {
    const headers = pieceHeaders(open.client, piece);
    const { id, nth } = piece;
    try {
      const sent = { headers, msgID: `${id}.${nth}`, expect: { lastSubjectSequence: after } };
      return (await open.js.publish(subjectOf(name), data, sent)).seq;
    } catch (thrown) {
      if ((thrown as { code?: unknown }).code !== WRONG_SEQUENCE) throw thrown;
      // An earlier attempt may have been stored without an acknowledgement.
      const last = await lastMessage(open, name);
      const found = pieceOf(last?.header);
      return found?.id === id && found.nth === nth ? last?.seq : undefined;
    }
  }

  /** Joins the messages of additions. Ignores an addition that its writer did not finish. */
  function joiner(name: string, added: (addition: Logged) => void): (message: JsMsg) => void {
    let pieces: Buffer[] = [];
    let id = '';
    return ({ headers, data, seq }) => {
      const piece = pieceOf(headers);
      if (!piece) return;
      const { id: own, nth, of } = piece;
      if (nth === 0) pieces = [];
      else if (own !== id || pieces.length !== nth) return;
      id = own;
      pieces.push(seal.open(`${stream}.${name}.${own}.${nth}`, data));
      if (pieces.length === of) added({ data: Buffer.concat(pieces), sequence: seq });
    };
  }

  const consumerOf = ({ client, js }: OpenConnection, name: string) =>
    js.consumers.get(stream, {
      filter_subjects: subjectOf(name),
      deliver_policy: client.jetstream.DeliverPolicy.All,
      inactive_threshold: UNUSED_MS,
    });
  /** Nobody waits for it: a consumer that could not be removed ends by itself. */
  const removeConsumer = (consumer: Consumer): void => void consumer.delete().catch(() => {});

  return {
    append: (name, data, after, id) =>
      use('append', async (open) => {
        const pieces = piecesOf(data, open.nats);
        let sequence: number | undefined = after;
        for (const [nth, piece] of pieces.entries()) {
          const sealed = seal.close(`${stream}.${name}.${id}.${nth}`, piece);
          sequence = await publish(open, name, sealed, sequence, { id, nth, of: pieces.length });
          if (sequence === undefined) break;
        }
        return sequence;
      }),
    last: (name) =>
      use('read', async (open) => {
        const last = await lastMessage(open, name);
        const piece = pieceOf(last?.header);
        return { sequence: last?.seq ?? 0, id: piece?.id, whole: piece !== undefined && piece.nth + 1 === piece.of };
      }),
    read: (name) =>
      use('read', async (open) => {
        const additions: Logged[] = [];
        const join = joiner(name, (addition) => additions.push(addition));
        let end = 0;
        const consumer = await consumerOf(open, name);
        try {
          let pending = (await consumer.info()).num_pending;
          while (pending > 0) {
            const before = pending;
            const batch = {
              max_messages: Math.min(pending, BATCH),
              expires: Math.max(LEAST_EXPIRY_MS, connection.settings.timeoutMs),
            };
            for await (const message of await consumer.fetch(batch)) {
              join(message);
              end = message.seq;
              pending -= 1;
            }
            if (pending === before) throw new Error(`${pending} messages of ${name} did not arrive`);
          }
        } finally {
          removeConsumer(consumer);
        }
        return { additions, end };
      }),
    follow: (name) =>
      new Observable((subscriber) => {
        const following = use('follow', async (open) => {
          const consumer = await consumerOf(open, name);
          let pending = (await consumer.info()).num_pending;
          const messages = await consumer.consume({ ...WATCH, max_messages: BATCH });
          subscriber.add(() => {
            messages.stop();
            removeConsumer(consumer);
          });
          let found: Logged[] = [];
          const join = joiner(name, (addition) => found.push(addition));
          if (pending === 0) subscriber.next([]);
          for await (const message of messages) {
            join(message);
            pending -= 1;
            if (pending > 0 || (pending < 0 && found.length === 0)) continue;
            subscriber.next(found);
            found = [];
          }
          if (!subscriber.closed) throw new Error('the server sends no more messages');
        });
        following.catch((thrown: unknown) => subscriber.error(thrown));
      }),
    remove: (name) =>
      use('remove', async ({ manager }) => {
        const { purged } = await manager.streams.purge(stream, { filter: subjectOf(name) });
        return purged > 0;
      }),
  };
}

export function additionId(): string {
  return randomUUID();
}
