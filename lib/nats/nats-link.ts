import type { Msg, Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { JsonObject } from '../events/values/json-value.ts';
import type { ServerLink } from '../server/fleet/server-link.ts';
import type { Connection } from './connection.ts';
import type { Seal } from './seal.ts';
import { tokenOf } from './tokens.ts';

/** Sends messages over NATS without storing them. */
export function natsLink(connection: Connection, seal: Seal, server: string, log: Logger | undefined): ServerLink {
  const { app, timeoutMs } = connection.settings;
  const subjectOf = (kind: 'ask' | 'tell', name: string) => `hookline.v1.${app}.${kind}.${tokenOf(name)}`;
  const closed = (place: string, message: JsonObject) => seal.close(place, Buffer.from(JSON.stringify(message)));
  const opened = (place: string, data: Uint8Array) => JSON.parse(seal.open(place, data).toString()) as JsonObject;

  /**
   * Calls `heard` with each message, once the connection is open. A message without the secret of the fleet is ignored. The client subscribes again
   * after a reconnect.
   */
  async function subscribe(subject: string, heard: (message: JsonObject, raw: Msg) => void): Promise<Subscription> {
    const { nats } = await connection.whenOpen();
    const subscription = nats.subscribe(subject, {
      callback: (error, raw) => {
        if (error) return;
        let message: JsonObject;
        try {
          message = opened(subject, raw.data);
        } catch {
          return;
        }
        heard(message, raw);
      },
    });
    await nats.flush();
    return subscription;
  }

  return {
    serve: async (name, answer) => {
      const subject = subjectOf('ask', name);
      const subscription = await subscribe(subject, (request, raw) => {
        // Without a reply, the other server gets a timeout. A reply may be larger than the payload of the server.
        answer(request)
          .then((reply) => raw.respond(closed(`${subject} reply`, reply)))
          .catch((err: unknown) => log?.error({ err }, 'a request of another server failed'));
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
      return connection.use(`ask ${subject}`, async ({ nats, client }) => {
        try {
          const reply = await nats.request(subject, closed(subject, request), { timeout: timeoutMs });
          return opened(`${subject} reply`, reply.data);
        } catch (thrown) {
          if (isNobody(thrown, client.transport)) return undefined;
          throw thrown;
        }
      });
    },
    tell(topic, message) {
      const subject = subjectOf('tell', topic);
      try {
        connection.current()?.nats.publish(subject, closed(subject, { server, message }));
      } catch (err) {
        // The connection is closed, or the message is larger than the payload of the server.
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

function isNobody(thrown: unknown, { RequestError }: { RequestError: new (...args: never[]) => Error }): boolean {
  return thrown instanceof RequestError && (thrown as { isNoResponders?: () => boolean }).isNoResponders?.() === true;
}
