/** Items to send in batches, one batch after the other. */
export interface EventQueue<T> {
  add(item: T): void;
  /** Sends waiting items at once. Resolves when all are sent. */
  flush(): Promise<void>;
  /** The numbers of sent items, of lost items (full queue or failed requests), and of waiting items, including those in flight. */
  counts(): { readonly sent: number; readonly lost: number; readonly waiting: number };
}

export interface QueueOptions<T> {
  readonly maxBatch: number;
  readonly batchMs: number;
  readonly maxWaiting: number;
  /** Sends a batch. `lost` is the number of items lost so far. */
  send(batch: readonly T[], lost: number): Promise<void>;
  /** Called once per series of failures: a batch could not be sent, or the queue was full. */
  failed(thrown: unknown): void;
}

/** Creates a queue. Its timer does not keep the process alive. */
export function createEventQueue<T>({ maxBatch, batchMs, maxWaiting, send, failed }: QueueOptions<T>): EventQueue<T> {
  const waiting: T[] = [];
  let underWay = 0;
  let sent = 0;
  let lost = 0;
  let failing = false;
  let full = false;
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Whether to send at once. */
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
    // Deferred, so that the caller of `add` does not wait for the serialisation.
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
        if (!full) failed(new Error(`more than ${maxWaiting} events are queued; the oldest are dropped`));
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
