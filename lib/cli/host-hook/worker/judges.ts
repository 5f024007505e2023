import { BEAT_MS } from './messages.ts';
import { type Pending, startWorker, type WorkerProcess } from './worker-process.ts';

/** How events of a host are judged. */
export interface JudgesOptions {
  /** The words of the command, after `hookline`. */
  readonly words: readonly string[];
  /** Milliseconds that an answer may take. */
  readonly timeoutMs: number;
  /** The state of a file that hooks were made from: a worker whose files have changed is replaced. Default: none is. */
  readonly stateOf?: (file: string) => string;
  /** The first events of each process: events that an earlier process received and that later ones depend on. */
  readonly rewritten?: () => readonly string[];
  /** There is one event only: nothing is judged again by another worker. */
  readonly once?: boolean;
}

/** How one event is judged. */
export interface AskOptions {
  /** Milliseconds that the answer may take, if not the usual ones. */
  readonly limitMs?: number;
  /** Milliseconds of which are spent. */
  readonly spentMs?: number;
  /** Aborts when the answer is no longer awaited. */
  readonly signal?: AbortSignal;
}

/** The process that runs the hooks, behind a watchdog. */
export interface Judges {
  /** Starts the process before the first event comes. */
  warm(): void;
  /** What an event is answered. Rejects in time with why it was not judged. */
  ask(event: string, options?: AskOptions): Promise<unknown>;
  /** Sends an event that has no answer. */
  notify(event: string): void;
  /** Ends the process after what is under way; kills it after so many milliseconds. */
  close(atMostMs: number): Promise<void>;
}

/** How long a worker that is not wanted any more may take to close its hooks, in milliseconds. */
const CLOSE_MS = 10_000;

/** Modules and rules may be loaded in one go, in milliseconds. */
const LOAD_MS = 30_000;

/** A thread that is kept longer than this is taken for lost, or half of the time limit if that is less, in milliseconds. */
const MOST_SILENT_MS = 5_000;

/** Processes that events are judged in at a time, where it is not known which of them keeps the thread. */
const MOST_LANES = 4;

/**
 * Judges events in a process of its own. One event at a time has the thread there: where a hook does not give it back, that event is rejected at its
 * time limit, while a new process judges the others, those included that hooks have begun with, and all that come. Where the process ends, what its
 * hooks have begun with is not judged again.
 */
export function createJudges(options: JudgesOptions): Judges {
  const { words, timeoutMs, stateOf, rewritten = () => [], once = false } = options;
  const isSilent = ({ silentMs, loaded }: WorkerProcess): boolean =>
    silentMs > (loaded ? Math.min(MOST_SILENT_MS, timeoutMs / 2) : LOAD_MS);
  const ending = new Set<Promise<void>>();
  /** Workers that get no new events: the thread is kept or may be, files have changed, or an error was lost. */
  const left = new Set<WorkerProcess>();
  let current: WorkerProcess | undefined;
  let last = 0;

  const all = (): readonly WorkerProcess[] => [...left, ...(current ? [current] : [])];

  function start(): WorkerProcess {
    const worker = startWorker(words, {
      gone(pending, how) {
        if (current === worker) current = undefined;
        left.delete(worker);
        for (const one of pending) {
          if (once || one.stage !== 'queued' || !mayMove(one, worker)) one.fail(`the process of the hooks ${how}.`);
          else move(one);
        }
      },
      stray(why) {
        for (const one of [...worker.pending.values()]) {
          worker.drop(one.id);
          one.fail(why);
        }
        leave(worker);
      },
    });
    for (const event of rewritten()) worker.notify(event);
    return worker;
  }

  /** It goes from one worker to the next until its time is over, unless it is the loading that ends them. */
  function mayMove({ moved }: Pending, { loaded }: WorkerProcess): boolean {
    return !moved || loaded;
  }

  function move(one: Pending, to = worker()): void {
    one.moved = true;
    to.take(one);
  }

  function leave(worker: WorkerProcess): void {
    if (current === worker) current = undefined;
    left.add(worker);
    endIfIdle(worker);
  }

  function endIfIdle(worker: WorkerProcess): void {
    if (!left.has(worker) || worker.pending.size > 0) return;
    left.delete(worker);
    const end = worker.end(isSilent(worker) ? 0 : CLOSE_MS).finally(() => ending.delete(end));
    ending.add(end);
  }

  function worker(): WorkerProcess {
    if (current && isStale(current)) leave(current);
    current ??= start();
    return current;
  }

  function isStale({ files, failed }: WorkerProcess): boolean {
    return stateOf !== undefined && (failed || [...files].some(([file, state]) => stateOf(file) !== state));
  }

  const watchdog = setInterval(() => {
    if (once) return;
    for (const one of all()) if (isSilent(one) && one.pending.size > 0) rescue(one);
  }, BEAT_MS).unref();

  /** Leaves the event that keeps the thread to a silent worker, and moves the others. */
  function rescue(silent: WorkerProcess): void {
    if (current === silent) leave(silent);
    const pending = [...silent.pending.values()];
    const begun = pending.filter(({ stage }) => stage !== 'queued');
    const keeps = pending.find(({ stage }) => stage === 'running') ?? (begun.length === 1 ? begun[0] : undefined);
    const others = pending.filter((one) => one !== keeps && mayMove(one, silent));
    for (const one of others) silent.drop(one.id);
    for (const one of others) if (!begun.includes(one)) move(one);
    const suspects = others.filter((one) => begun.includes(one));
    // Any of them may have the thread; apart from each other they show which.
    const lanes = keeps ? [] : suspects.slice(0, MOST_LANES).map(start);
    for (const lane of lanes) left.add(lane);
    for (const [at, one] of suspects.entries()) move(one, lanes[at % MOST_LANES]);
    endIfIdle(silent);
  }

  return {
    warm: () => void worker(),
    ask(event, { limitMs = timeoutMs, spentMs = 0, signal } = {}) {
      return new Promise((resolve, reject) => {
        last += 1;
        const id = last;
        const settle = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          for (const one of all()) {
            one.drop(id);
            endIfIdle(one);
          }
        };
        const fail = (why: string): void => {
          settle();
          reject(new Error(why));
        };
        const onAbort = (): void => fail('the caller no longer waits for the answer.');
        const timer = setTimeout(() => fail(`it took longer than ${limitMs} ms.`), Math.max(0, limitMs - spentMs));
        signal?.addEventListener('abort', onAbort);
        const answer = (value: unknown): void => {
          settle();
          resolve(value);
        };
        worker().take({ id, event, stage: 'queued', moved: false, answer, fail });
      });
    },
    notify: (event) => worker().notify(event),
    async close(atMostMs) {
      clearInterval(watchdog);
      await Promise.all([...ending, ...all().map((one) => one.end(isSilent(one) ? 0 : atMostMs))]);
    },
  };
}
