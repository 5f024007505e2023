import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf } from '../../../errors/describe-thrown.ts';
import type { HostHooks } from '../host-hooks.ts';
import { openWorkerChannel } from './channel.ts';
import { BEAT_MS } from './messages.ts';

/** What a judge of one event is given. */
export interface Judging {
  /** Aborts when the answer is no longer awaited. */
  readonly signal: AbortSignal;
  /** Is called when the hooks are loaded. They run once it resolves. */
  readonly begin: () => void | Promise<void>;
}

/** Who judges the events of a host. */
export interface EventJudge {
  answer(event: string, judging: Judging): Promise<unknown>;
  /** Receives the events without an answer. */
  notify?(event: string): Promise<void>;
  /** Ends what goes on. */
  end?(): Promise<void>;
}

/** Answers events of the front until it ends this process, or is gone. */
export async function serveWorker(hooks: HostHooks, judge: EventJudge): Promise<void> {
  const cancels = new Map<number, AbortController>();
  const sentFiles = new Set<string>();
  let free: Promise<void> = Promise.resolve();
  const lost = (thrown: unknown): void => {
    process.stderr.write(`hookline: unhandled error: ${messageOf(thrown)}\n`);
    send({ stray: messageOf(thrown) });
  };
  process.on('uncaughtException', lost).on('unhandledRejection', lost);
  const lostEvent = (thrown: unknown): void =>
    void process.stderr.write(`hookline failed to process an event: ${messageOf(thrown)}\n`);
  // The front decides what a signal does.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  // Last, because an event that arrives earlier would be judged without all of that.
  let close: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const send = openWorkerChannel((message) => {
    if ('cancel' in message)
      cancels.get(message.cancel)?.abort(new Error('the caller no longer waits for the answer.'));
    else if ('end' in message) close();
    else if (message.id === undefined) judge.notify?.(message.event).catch(lostEvent);
    else void answer(message.id, message.event);
  }, close);

  async function answer(id: number, event: string): Promise<void> {
    const cancel = new AbortController();
    cancels.set(id, cancel);
    try {
      const answer = await judge.answer(event, { signal: cancel.signal, begin: () => begin(id) });
      sendFiles();
      send({ id, answer });
    } catch (thrown) {
      sendFiles();
      send({ id, failed: messageOf(thrown) });
    } finally {
      cancels.delete(id);
    }
  }

  /** One event at a time begins: the front takes the one that is running for the one that keeps the thread. */
  function begin(id: number): Promise<void> {
    const begun = free.then(() => send({ id, stage: 'running' }));
    free = begun.then(() => nextTurn()).then(() => send({ id, stage: 'yielded' }));
    return begun;
  }

  function sendFiles(): void {
    const { files, failed } = hooks.watched();
    const fresh = [...files].filter(([file]) => !sentFiles.has(file));
    for (const [file] of fresh) sentFiles.add(file);
    if (fresh.length > 0 || failed) send({ files: fresh, failed });
  }

  const beat = setInterval(() => send({ beat: true }), BEAT_MS);
  send({ ready: true });
  await closed;
  clearInterval(beat);
  await judge.end?.().catch(() => {});
  await hooks.close();
  process.exit();
}
