import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Faults of a connection. */
export type Fault = 'cut' | 'drop' | 'delay' | 'half-close';

/** A proxy before a server on loopback. */
export interface FaultyProxy {
  readonly port: number;
  /** Lets the connections fail until `mend`. */
  fail(fault: Fault): void;
  mend(): void;
  close(): Promise<void>;
}

export async function faultyProxy(target: number): Promise<FaultyProxy> {
  let fault: Fault | undefined;
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    if (fault === 'cut') return client.destroy();
    const upstream = connect(target, '127.0.0.1');
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on('data', (bytes) => {
        if (fault === 'drop') return;
        if (fault === 'delay') setTimeout(() => to.write(bytes), 100);
        else to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const destroyAll = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    fail(next) {
      fault = next;
      if (next === 'cut') destroyAll();
      if (next === 'half-close') for (const [, upstream] of pairs) upstream.end();
    },
    mend() {
      // What was dropped is missing in the middle of the stream.
      if (fault === 'drop') destroyAll();
      fault = undefined;
    },
    async close() {
      destroyAll();
      server.close();
      await once(server, 'close');
    },
  };
}
