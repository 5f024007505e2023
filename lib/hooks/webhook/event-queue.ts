/** Items that wait to be sent in batches, one batch after the other. */
export interface EventQueue<T> {
  add(item: T): void;
  /** Sends what waits without waiting for more; resolves when nothing is on its way any more. */
  flush(): Promise<void>;
  /** How many items were sent, how many are lost (there was no room, or sending them failed), and how many wait or are on their way. */
  counts(): { readonly sent: number; readonly lost: number; readonly waiting: number };
}

/** How a queue works. */
export interface QueueOptions<T> {
  readonly maxBatch: number;
  readonly batchMs: number;
  readonly maxWaiting: number;
  /** Sends a batch. `lost` is how many are lost so far. */
  send(batch: readonly T[], lost: number): Promise<void>;
  /** A batch could not be sent, or there was no room; told when it begins, not for each. */
  failed(thrown: unknown): void;
}

/** Makes a queue. A timer that waits for more keeps no process alive. */
export function createEventQueue<T>({ maxBatch, batchMs, maxWaiting, send, failed }: QueueOptions<T>): EventQueue<T> {
  const waiting: T[] = [];
  let underWay = 0;
  let sent = 0;
  let lost = 0;
  let failing = false;
  let full = false;
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Whether to send without waiting for more. */
  let hurry = false;

  async function work(): Promise<void> {
    while (waiting.length > 0 && (hurry || waiting.length >= maxBatch)) {
      const batch = waiting.splice(0, maxBatch);
      underWay = batch.length;
      full = false;
      try {
        await send(batch, lost);
        sent += batch.length;
        failing = false;
      } catch (thrown) {
        lost += batch.length;
        if (!failing) failed(thrown);
        failing = true;
      }
      underWay = 0;
    }
    hurry = false;
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    // Behind what is happening now: whoever adds an event does not wait for it to be written down.
    working ??= Promise.resolve()
      .then(work)
      .finally(() => {
        working = undefined;
        if (waiting.length >= maxBatch) start();
        else if (waiting.length > 0) later();
      });
  }

  function later(): void {
    timer ??= setTimeout(() => {
      hurry = true;
      start();
    }, batchMs).unref();
  }

  return {
    add(item) {
      waiting.push(item);
      if (waiting.length > maxWaiting) {
        waiting.shift();
        lost += 1;
        if (!full) failed(new Error(`more than ${maxWaiting} events wait to be sent, and the oldest are lost`));
        full = true;
      }
      if (waiting.length >= maxBatch) start();
      else if (!working) later();
    },
    async flush() {
      while (waiting.length > 0 || working) {
        hurry = true;
        start();
        await working;
      }
    },
    counts: () => ({ sent, lost, waiting: waiting.length + underWay }),
  };
}
