import type { Journal } from './journal.ts';
import { heartbeatFrame } from './sse-frame.ts';

/** What clients may cost. */
export interface AudienceLimits {
  /** Characters of gate events that a client may leave untaken. */
  readonly lag: number;
  /** Milliseconds that a client may take nothing while something waits for it. */
  readonly stallMs: number;
}

/** Those who read a journal as server-sent events. */
export interface Audience {
  readonly size: number;
  /** A body from that place of the journal on, up to its end. `hangUp` ends a connection that takes nothing; `onGone` is told when the client leaves, is through, or is hung up on. */
  open(from: number, hangUp?: () => void, onGone?: () => void): ReadableStream<Uint8Array>;
  /** To be called when the journal has something new. */
  wake(): void;
  /** To be called now and then: a sign of life for those who wait, the end for those who have stalled. */
  beat(): void;
  /** Resolves when nobody is left. */
  left(): Promise<void>;
  /** Hangs up on all that are left. */
  hangUp(): void;
}

interface Client {
  at: number;
  /** Characters of gate events it has taken. */
  gates: number;
  tookAt: number;
  /** Ends its wait; undefined while it has enough to do. */
  go: (() => void) | undefined;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly hangUp: (() => void) | undefined;
  readonly onGone: (() => void) | undefined;
}

const SIGN_OF_LIFE = new TextEncoder().encode(heartbeatFrame);

/** A client holds one batch, and a place in the journal. */
export function createAudience(journal: Journal, limits: AudienceLimits): Audience {
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
    // Nothing that is sent would arrive.
    if (client.hangUp) client.hangUp();
    else client.controller.error(new Error('The client does not take what it is sent.'));
  }

  /** Whether the client has been given something, the end included. */
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
      } else if (journal.gates - client.gates > limits.lag) cut(client);
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
      // What is settled in one go is sent in one.
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
