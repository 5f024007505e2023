import { connect, type Socket } from 'node:net';
import { createTokens, type Listening, type ListenOptions, listen } from 'hookline/server';
import { type Api, anApi } from './api.ts';

/** A server on its own port, and raw sockets to it. */
export interface Wire extends Api {
  readonly listening: Listening;
  /** Sends raw bytes, and returns all received bytes until the other side closes (or has answered in full). */
  send(...chunks: readonly string[]): Promise<string>;
  open(): Promise<Socket>;
}

export async function aWire(options: ListenOptions = {}, ...api: Parameters<typeof anApi>): Promise<Wire> {
  const made = await anApi(...api);
  const listening = await listen(made.server, createTokens(made.store), options);
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(listening.port, '127.0.0.1', () => resolve(socket)).once('error', reject);
    });
  return {
    ...made,
    listening,
    open,
    async send(...chunks) {
      const socket = await open();
      const answer = received(socket);
      for (const chunk of chunks) {
        if (socket.writable) socket.write(chunk);
        await new Promise((done) => setImmediate(done));
      }
      return answer;
    },
    async close() {
      await listening.close(0);
      await made.close();
    },
  };
}

/** Returns the bytes received by a socket until it is closed or the response is complete. */
export function received(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (data) => {
      text += data;
      const [head = '', body] = text.split('\r\n\r\n');
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? Number.NaN);
      if (body !== undefined && (body.length >= length || /^HTTP\/1.1 304/.test(head))) socket.destroy();
    });
    // A socket that was cut returns its bytes.
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

/** Returns a raw request. */
export function raw(line: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, ...lines, '', body].join('\r\n');
}
