import type { ServerResponse } from 'node:http';
import type { HeaderFields } from './mirrored-headers.ts';
import type { Refusal } from './remote-server.ts';

/** An answer to a client, which becomes a stream of events when more than one message is sent. */
export interface ClientStream {
  /** Set when the server has refused what the answer is to. */
  refusal?: Refusal;
  /** Set where the server streams its answer; then it is a stream here too. */
  streamed?: boolean;
  readonly closed: boolean;
  /** Says that messages will come. */
  begin(): void;
  write(text: string, eventId?: string): void;
  /** The last message; none where nothing more is to be said. */
  end(text?: string): void;
  /** Resolves when the client has taken what was written; nothing where it keeps up. */
  ready(): Promise<void> | undefined;
}

/** Silence that proxies and clients put up with. */
const PULSE_MS = 15_000;
/** What a client has to take what was written. */
const STALLED_MS = 60_000;

/** `change` makes of the headers of a refusal what clients get. */
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
      // Hooks may have answered in the server's place; but nobody can in the place of who is to log in.
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
