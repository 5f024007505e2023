import type { ServerResponse } from 'node:http';
import type { HeaderFields } from './mirrored-headers.ts';
import type { Refusal } from './remote-server.ts';

/** An answer to a client. It becomes an event stream if more than one message is sent. */
export interface ClientStream {
  /** Set if the server rejected the request. */
  refusal?: Refusal;
  /** Set if the server streams its answer. The proxy then streams it, too. */
  streamed?: boolean;
  readonly closed: boolean;
  /** Sends the headers of the event stream. */
  begin(): void;
  write(text: string, eventId?: string): void;
  /** Sends the last message, if any, and ends the answer. */
  end(text?: string): void;
  /** Resolves when the client has read what was written. `undefined` if it keeps up. */
  ready(): Promise<void> | undefined;
}

/** The interval of keep-alive comments. Proxies and clients tolerate this much silence. */
const PULSE_MS = 15_000;
/** How long a client may take to read what was written. */
const STALLED_MS = 60_000;

/** `change` rewrites the headers of a refusal for the client. */
export function createClientStream(
  response: ServerResponse,
  ownHeaders: HeaderFields = {},
  change: (headers: HeaderFields) => HeaderFields = (headers) => headers,
): ClientStream {
  let drained: Promise<void> | undefined;
  const pulse = setInterval(() => send(':\n\n'), PULSE_MS);
  pulse.unref();
  response.once('close', () => clearInterval(pulse));
  response.on('error', () => {});

  function send(chunk: string): void {
    if (response.destroyed || response.writableEnded) return;
    if (!response.headersSent)
      response.writeHead(200, { ...ownHeaders, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    if (response.write(chunk) || drained) return;
    const stalled = setTimeout(() => response.destroy(), STALLED_MS);
    drained = new Promise((resolve) => {
      const go = (): void => {
        response.off('drain', go).off('close', go);
        clearTimeout(stalled);
        drained = undefined;
        resolve();
      };
      response.on('drain', go).on('close', go);
    });
  }

  const stream: ClientStream = {
    get closed() {
      return response.destroyed || response.writableEnded;
    },
    begin: () => send(''),
    write: (text, eventId) => send(`${eventId === undefined ? '' : `id: ${eventId}\n`}data: ${text}\n\n`),
    end(text) {
      clearInterval(pulse);
      if (text === undefined || response.headersSent) {
        if (text !== undefined) stream.write(text);
        else send('');
        return void response.end();
      }
      const { refusal, streamed } = stream;
      const isError = text.includes('"error"') && JSON.parse(text).error !== undefined;
      if (streamed && !refusal) {
        stream.write(text);
        return void response.end();
      }
      // Hooks may have answered instead of the server. Only the client can log in, so 401 and 403 are always forwarded.
      const refused = refusal && (isError || refusal.status === 401 || refusal.status === 403) ? refusal : undefined;
      response.writeHead(refused?.status ?? 200, {
        ...(!isError && ownHeaders),
        ...(refused && change(refused.headers)),
        'content-type': 'application/json',
        'cache-control': 'no-store',
      });
      response.end(text);
    },
    ready: () => drained,
  };
  return stream;
}
