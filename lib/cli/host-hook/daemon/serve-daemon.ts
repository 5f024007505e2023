import { readdirSync, renameSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileState } from '../../../config/live/file-state.ts';
import { messageOf } from '../../../errors/describe-thrown.ts';
import type { DialectName } from '../dialects/dialect-names.ts';
import { refuseEvent } from '../dialects/refuse-event.ts';
import type { HostAnswer } from '../host-answer.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import { readEvent } from '../read-event.ts';
import { createJudges } from '../worker/judges.ts';
import { askDaemon, READY } from './ask-daemon.ts';

/** How often a daemon checks that clients still find it at its path, in milliseconds. */
const LOOK_MS = 2_000;

/** Timeout for hooks to close, in milliseconds. */
const CLOSE_MS = 10_000;

/** Maximum number of daemons of a user. If each call has a different environment, no daemon is reused and all would stay. */
const MOST_DAEMONS = 16;

/**
 * Evaluates events of clients at `place` until the idle timeout or a signal. Its hooks run in a worker process, which is replaced when a file of the
 * hooks changes or when a hook blocks the event loop.
 */
export async function serveDaemon(
  host: DialectName,
  flags: HostHookFlags,
  words: readonly string[],
  place: string,
): Promise<void> {
  // A daemon that hangs is replaced.
  if ((await askDaemon(place, '')) !== 'absent' || (await othersAt(dirname(place))) >= MOST_DAEMONS) return;
  const { failOpen = false } = flags;
  const judges = createJudges({ words, timeoutMs: flags.timeout * 1000, stateOf: fileState });
  judges.warm();
  const calls = new Set<Socket>();
  const own = `${place}.${process.pid}`;
  let idle: NodeJS.Timeout | undefined;
  let retire: () => void = () => {};
  const retired = new Promise<void>((resolve) => {
    retire = resolve;
  });
  let open = true;

  async function judge(socket: Socket, signal: AbortSignal): Promise<HostAnswer> {
    let event = '';
    try {
      event = await readEvent(socket);
      return (await judges.ask(event, { signal })) as HostAnswer;
    } catch (thrown) {
      return refuseEvent(host, event, messageOf(thrown), failOpen);
    }
  }

  async function serve(socket: Socket): Promise<void> {
    socket.on('error', () => {});
    if (!open) return void socket.destroy();
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    calls.add(socket);
    clearTimeout(idle);
    socket.write(READY);
    const answer = await judge(socket, gone.signal);
    socket.end(JSON.stringify(answer), () => socket.destroy());
    calls.delete(socket);
    if (calls.size === 0) wait();
  }

  function wait(): void {
    clearTimeout(idle);
    idle = setTimeout(retire, flags.idle * 1000);
  }

  const server = createServer({ allowHalfOpen: true }, (socket) => void serve(socket));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(own, resolve));
  const { ino } = statSync(own);
  const isFound = () => statSync(place, { throwIfNoEntry: false })?.ino === ino;
  // Atomic. If two daemons start at once, the later one stays.
  renameSync(own, place);
  wait();
  const look = setInterval(() => isFound() || retire(), LOOK_MS);
  process.once('SIGTERM', retire).once('SIGINT', retire);
  await retired;
  open = false;
  clearTimeout(idle);
  clearInterval(look);
  if (isFound()) unlinkSync(place);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(idle);
  await judges.close(CLOSE_MS);
}

/** Returns the number of daemons in this folder. Sockets of dead daemons are deleted. */
async function othersAt(folder: string): Promise<number> {
  const places = readdirSync(folder).map((name) => join(folder, name));
  const listening = await Promise.all(
    places.map(async (other) => {
      const listens = await isListening(other);
      if (!listens) rmSync(other, { force: true });
      return listens;
    }),
  );
  return listening.filter(Boolean).length;
}

function isListening(place: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(place, () => {
      socket.destroy();
      resolve(true);
    });
    // Any error other than ECONNREFUSED may mean a busy daemon.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'));
  });
}
