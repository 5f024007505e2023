import { messageOf } from '../../../errors/describe-thrown.ts';
import type { HostHooks } from '../host-hooks.ts';
import { endWithFront } from './end-with-front.ts';
import { BEAT_MS, type FromWorker, type ToWorker } from './messages.ts';

/** What a judge of one event is given. */
export interface Judging {
  /** Aborts where nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Is called when the hooks are loaded, and run from now on. */
  readonly begin: () => void;
}

/** Who judges the events of a host. */
export interface EventJudge {
  answer(event: string, judging: Judging): Promise<unknown>;
  /** Hears the events that nobody waits for. */
  tell?(event: string): Promise<void>;
  /** Ends what goes on. */
  end?(): Promise<void>;
}

/** Answers events of the front until it ends this process, or is gone. */
export async function serveWorker(hooks: HostHooks, judge: EventJudge): Promise<void> {
  const send = sender();
  endWithFront();
  const cancels = new Map<number, AbortController>();
  const told = new Set<string>();
  const lost = (thrown: unknown): void => {
    process.stderr.write(`hookline: an error that nobody waits for: ${messageOf(thrown)}\n`);
    send({ stray: messageOf(thrown) });
  };
  process.on('uncaughtException', lost).on('unhandledRejection', lost);
  const lostEvent = (thrown: unknown): void =>
    void process.stderr.write(`hookline could not follow an event: ${messageOf(thrown)}\n`);
  // The front decides what a signal does.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});

  async function answer(id: number, event: string): Promise<void> {
    const cancel = new AbortController();
    cancels.set(id, cancel);
    const begin = (): void => {
      send({ id, stage: 'running' });
      setImmediate(() => send({ id, stage: 'yielded' }));
    };
    try {
      const answer = await judge.answer(event, { signal: cancel.signal, begin });
      sayFiles();
      send({ id, answer });
    } catch (thrown) {
      sayFiles();
      send({ id, failed: messageOf(thrown) });
    } finally {
      cancels.delete(id);
    }
  }

  function sayFiles(): void {
    const { files, failed } = hooks.watched();
    const fresh = [...files].filter(([file]) => !told.has(file));
    for (const [file] of fresh) told.add(file);
    if (fresh.length > 0 || failed) send({ files: fresh, failed });
  }

  const beat = setInterval(() => send({ beat: true }), BEAT_MS);
  await new Promise<void>((resolve) => {
    process.once('disconnect', resolve);
    process.on('message', (message: ToWorker) => {
      if ('cancel' in message) cancels.get(message.cancel)?.abort(new Error('nobody waits for the answer.'));
      else if ('end' in message) resolve();
      else if (message.id === undefined) judge.tell?.(message.event).catch(lostEvent);
      else void answer(message.id, message.event);
    });
    send({ ready: true });
  });
  clearInterval(beat);
  await judge.end?.().catch(() => {});
  await hooks.close();
  process.exit();
}

/** Takes the way to the front away from everybody else in this process. */
function sender(): (message: FromWorker) => void {
  const send = process.send?.bind(process);
  if (!send) throw new Error('--worker is for hookline itself.');
  Object.assign(process, { send: undefined });
  // Whether the front is still there shows by `disconnect`.
  return (message) => void send(message, () => {});
}
