import type { RunLimits } from '../runs/run-limits.ts';
import type { Journal } from './journal.ts';
import { heartbeatFrame } from './sse-frame.ts';

/** The clients that read a journal as server-sent events. */
export interface Audience {
  readonly size: number;
  /**
   * Returns a body with the events from this position to the end of the journal. `hangUp` closes a stalled connection. `onGone` is called when the
   * client leaves, has read everything, or is disconnected.
   */
  open(from: number, hangUp?: () => void, onGone?: () => void): ReadableStream<Uint8Array>;
  /** Call when the journal has new events. */
  wake(): void;
  /** Call periodically. Sends a heartbeat to idle clients, and disconnects stalled ones. */
  beat(): void;
  /** Resolves when no client is left. */
  left(): Promise<void>;
  /** Disconnects all clients. */
  hangUp(): void;
}

interface Client {
  at: number;
  /** Characters of gate events that the client has read. */
  gates: number;
  tookAt: number;
  /** Ends the client's wait; undefined if it is not waiting. */
  go: (() => void) | undefined;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly hangUp: (() => void) | undefined;
  readonly onGone: (() => void) | undefined;
}

const SIGN_OF_LIFE = new TextEncoder().encode(heartbeatFrame);

/** Creates an audience. It stores one batch and one journal position per client. */
export function createAudience(journal: Journal, limits: Pick<RunLimits, 'clientLag' | 'stallMs'>): Audience {
  const clients = new Set<Client>();
  const leaving: (() => void)[] = [];
  let woken = false;

  function leave(client: Client): void {
    if (!clients.delete(client)) return;
    journal.watched = clients.size > 0;
    client.onGone?.();
    if (clients.size === 0) for (const resolve of leaving.splice(0)) resolve();
  }

  function cut(client: Client): void {
    leave(client);
    // The connection does not deliver data any more.
    if (client.hangUp) client.hangUp();
    else client.controller.error(new Error('The client does not read its stream.'));
  }

  /** Sends data or the end to the client. Returns whether it did. */
  function give(client: Client): boolean {
    const batch = journal.read(client.at);
    if (!batch && !journal.closed) return false;
    client.tookAt = performance.now();
    if (batch) {
      client.at = batch.to;
      client.gates = batch.gates;
      client.controller.enqueue(batch.bytes);
    } else {
      leave(client);
      client.controller.close();
    }
    return true;
  }

  function letGo(client: Client): void {
    client.go?.();
    client.go = undefined;
  }

  function giveAll(): void {
    woken = false;
    for (const client of clients) {
      if (client.go) {
        if (give(client)) letGo(client);
      } else if (journal.gates - client.gates > limits.clientLag) cut(client);
    }
  }

  function add(from: number, controller: Client['controller'], ends: Pick<Client, 'hangUp' | 'onGone'>): Client {
    const client = {
      at: from,
      gates: journal.gatesBefore(from),
      tookAt: performance.now(),
      go: undefined,
      controller,
      ...ends,
    };
    clients.add(client);
    journal.watched = true;
    return client;
  }

  return {
    get size() {
      return clients.size;
    },
    open(from, hangUp, onGone) {
      let client: Client;
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            client = add(from, controller, { hangUp, onGone });
          },
          pull() {
            if (give(client)) return;
            return new Promise<void>((resolve) => {
              client.go = resolve;
            });
          },
          cancel: () => leave(client),
        },
        { highWaterMark: 0 },
      );
    },
    wake() {
      if (woken) return;
      woken = true;
      // Sends all events of one synchronous step together.
      queueMicrotask(giveAll);
    },
    beat() {
      for (const client of clients) {
        if (client.go) {
          client.tookAt = performance.now();
          client.controller.enqueue(SIGN_OF_LIFE);
          letGo(client);
        } else if (performance.now() - client.tookAt > limits.stallMs) cut(client);
      }
    },
    left: () =>
      new Promise<void>((resolve) => {
        if (clients.size === 0) resolve();
        else leaving.push(resolve);
      }),
    hangUp() {
      for (const client of clients) cut(client);
    },
  };
}
