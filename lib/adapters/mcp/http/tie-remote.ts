import { setTimeout as after } from 'node:timers/promises';
import { onAbort } from '../../../agent/on-abort.ts';
import { type ClientPipes, read, write } from '../proxy/pipes.ts';
import type { Ends, McpSession } from '../proxy/session-options.ts';
import { connectRemote } from './remote.ts';
import type { RemoteServer } from './remote-server.ts';

/** The delay before the proxy listens to the server again. */
const AGAIN_MS = 1_000;
const MAX_AGAIN_MS = 30_000;
/** How long pending calls may take after the client has closed its input. */
const GRACE_MS = 10_000;

/**
 * Connects a client over stdio to a server over HTTP. Resolves when the client has disconnected or `signal` aborts. It resolves with the reason if
 * the client sent an unreadable message. The session at the server is then ended.
 */
export async function tieRemote(
  server: RemoteServer,
  { input, output }: Pick<ClientPipes, 'input' | 'output'>,
  session: (ends: Ends) => McpSession,
  signal: AbortSignal,
): Promise<string | undefined> {
  let closed = false;
  let rejection: string | undefined;
  let over = (): void => {};
  const stop = new AbortController();
  const toClient = (text: string): void => void (closed || write(output, text, input));
  const hooked = session({
    answer: toClient,
    dropped() {},
    toClient,
    toServer(text, about) {
      const sent = remote.send(text, about, undefined);
      if (text.includes('"notifications/initialized"')) sent.then(() => listen(AGAIN_MS));
    },
  });
  const remote = connectRemote(server, {
    take: (text, about) => hooked.fromServer(text, about),
    refused() {},
    streamed() {},
    ready: () => (output.writableNeedDrain ? new Promise((resolve) => output.once('drain', resolve)) : undefined),
  });

  /** Listens until the client disconnects, or the server does not support it. */
  function listen(wait: number, lastId?: string): void {
    const fields = lastId === undefined ? {} : { 'last-event-id': lastId };
    const again = async (id: string | undefined, ms: number): Promise<void> => {
      await after(Math.min(ms, MAX_AGAIN_MS), undefined, { signal: stop.signal, ref: false });
      listen(id === undefined ? wait * 2 : AGAIN_MS, id ?? lastId);
    };
    remote
      .listen(fields, stop.signal, (end) => void again(end.lastId, end.retryMs ?? wait).catch(() => {}))
      .catch(() => again(undefined, wait))
      .catch(() => {});
  }

  await new Promise<void>((resolve) => {
    over = resolve;
    const overlong = (limit: number): void => {
      rejection = `the client sent a message of more than ${limit} characters`;
      over();
    };
    read(input, (line) => !closed && hooked.fromClient(line), overlong).then(resolve);
    output.on('error', () => resolve());
    output.once('close', resolve);
    onAbort(signal, resolve);
  });
  // Pending calls may complete, as they would without a proxy.
  if (!signal.aborted && rejection === undefined)
    await Promise.race([
      remote.quiet().then(() => hooked.idle()),
      after(GRACE_MS, undefined, { ref: false, signal }).catch(() => {}),
    ]);
  stop.abort();
  await Promise.all([hooked.end(), remote.close()]);
  closed = true;
  return rejection;
}
