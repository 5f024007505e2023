import { randomUUID } from 'node:crypto';
import type { Msg, Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { messageOf } from '../errors/describe-thrown.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { ServerLink } from '../server/fleet/server-link.ts';
import type { Connection, OpenConnection } from './connection/connection.ts';
import { cutMessage, messageJoiner } from './message-pieces.ts';
import type { Seal } from './seal.ts';
import { tokenOf } from './tokens.ts';

/** The status of a message from NATS: nobody subscribes to the subject. */
const NOBODY = 503;

/** Sends messages over NATS without storing them. Large ones are cut into pieces. */
export function natsLink(connection: Connection, seal: Seal, server: string, log: Logger | undefined): ServerLink {
  const { app, timeoutMs } = connection.settings;
  const subjectOf = (kind: 'ask' | 'tell', name: string) => `hookline.v1.${app}.${kind}.${tokenOf(name)}`;
  const replyTo = (subject: string, id: string) => `${subject} reply to ${id}`;

  /**
   * Calls `heard` with each message, once the connection is open. A message without the secret of the fleet is ignored. The client subscribes again
   * after a reconnect.
   */
  async function subscribe(
    subject: string,
    heard: (message: JsonObject, id: string, last: Msg, open: OpenConnection) => void,
  ): Promise<Subscription> {
    const open = await connection.whenOpen();
    const join = messageJoiner(subject, seal, (message, id, last) => heard(message, id, last, open));
    const subscription = open.nats.subscribe(subject, {
      callback: (error, raw) => {
        if (error) return;
        try {
          join(raw);
        } catch {
          return;
        }
      },
    });
    await open.nats.flush();
    return subscription;
  }

  /** Sends a request and waits for its reply; undefined if nobody serves the subject. The timeout begins again with each piece. */
  async function exchange(open: OpenConnection, subject: string, request: JsonObject): Promise<JsonObject | undefined> {
    const { nats, client } = open;
    const inbox = client.transport.createInbox();
    const id = randomUUID();
    const pieces = cutMessage(request, { place: subject, id }, { seal, open });
    let timer: NodeJS.Timeout | undefined;
    let subscription: Subscription | undefined;
    try {
      return await new Promise<JsonObject | undefined>((resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`there is no reply within ${timeoutMs} ms`)), timeoutMs);
        const join = messageJoiner(replyTo(subject, id), seal, resolve);
        subscription = nats.subscribe(inbox, {
          callback: (error, raw) => {
            timer?.refresh();
            try {
              if (error) reject(error);
              else if (raw.headers?.code === NOBODY) resolve(undefined);
              else join(raw);
            } catch (thrown) {
              reject(thrown);
            }
          },
        });
        send(pieces).catch(reject);
      });
    } finally {
      clearTimeout(timer);
      timer = undefined;
      subscription?.unsubscribe();
    }

    async function send(all: typeof pieces): Promise<void> {
      for (const [nth, { data, headers }] of all.entries()) {
        const isLast = nth === all.length - 1;
        nats.publish(subject, data, { headers, ...(isLast && { reply: inbox }) });
        if (isLast) return;
        await nats.flush();
        timer?.refresh();
      }
    }
  }

  return {
    serve: async (name, answer) => {
      const subject = subjectOf('ask', name);
      const subscription = await subscribe(subject, (request, id, raw, open) => {
        const respond = (reply: JsonObject) => {
          const place = replyTo(subject, id);
          for (const { data, headers } of cutMessage(reply, { place, id }, { seal, open }))
            raw.respond(data, { headers });
        };
        answer(request)
          .then((reply) => respond({ reply }))
          .catch((err: unknown) => {
            log?.error({ err }, 'a request of another server failed');
            respond({ failed: messageOf(err) });
          })
          .catch((err: unknown) => log?.error({ err }, 'a reply to another server was not sent'));
      });
      return () => {
        // Requests that are on their way get a reply.
        subscription.drain().catch(() => {});
        // A drain that the connection has interrupted may not end.
        setTimeout(() => subscription.unsubscribe(), timeoutMs).unref();
      };
    },
    ask: (name, request) => {
      const subject = subjectOf('ask', name);
      return connection.use(`ask ${subject}`, async (open) => {
        const answer = await exchange(open, subject, request);
        if (typeof answer?.['failed'] === 'string') throw new Error(`the other server failed: ${answer['failed']}`);
        return answer?.['reply'] as JsonObject | undefined;
      });
    },
    tell(topic, message) {
      const place = subjectOf('tell', topic);
      const open = connection.current();
      if (!open) return;
      try {
        const pieces = cutMessage({ server, message }, { place, id: randomUUID() }, { seal, open });
        for (const { data, headers } of pieces) open.nats.publish(place, data, { headers });
      } catch (err) {
        // The connection is closed, or the message is too large.
        log?.warn({ err, topic }, 'a message to other servers was not sent');
      }
    },
    hear: async (topic, heard, again) => {
      const subscription = await subscribe(subjectOf('tell', topic), ({ server: from, message }) => {
        if (from !== server) heard(message as JsonObject);
      });
      const forget = again ? connection.onReconnect(again) : () => {};
      return () => {
        forget();
        subscription.unsubscribe();
      };
    },
  };
}
