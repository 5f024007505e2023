import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { createLineSplitter } from '../../../process-hooks/line-splitter.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** The descriptor that a worker has its channel at. */
export const CHANNEL_FD = 3;

/** UTF-16 units of a message: more than the largest event takes, every character of it escaped. */
const MOST_UNITS = 400 * 1024 * 1024;

/**
 * The front's end. The first line names a key, and only lines that begin with it count as messages of the worker: a hook or an addon that writes into a
 * descriptor of the process by mistake says nothing. `onForeign` is called at such a line, since it may have cut a message.
 */
export function openFrontChannel(
  duplex: Duplex,
  onMessage: (message: FromWorker) => void,
  onForeign: () => void,
): (message: ToWorker) => void {
  const key = randomBytes(16).toString('hex');
  readLines(
    duplex,
    (line) => {
      const message = line.startsWith(key) ? parsed(line.slice(key.length)) : undefined;
      if (message) onMessage(message);
      else onForeign();
    },
    onForeign,
  );
  duplex.write(`${key}\n`);
  return (message) => void (duplex.writable && duplex.write(`${JSON.stringify(message)}\n`));
}

/** The worker's end; nothing else in its process knows the key. What is sent before the front has named it waits. */
export function openWorkerChannel(
  onMessage: (message: ToWorker) => void,
  onClose: () => void,
): (message: FromWorker) => void {
  const duplex = channelSocket();
  let key: string | undefined;
  const early: FromWorker[] = [];
  const send = (message: FromWorker): void => {
    if (key === undefined) early.push(message);
    else if (duplex.writable) duplex.write(`${key}${JSON.stringify(message)}\n`);
  };
  const onLine = (line: string): void => {
    if (key !== undefined) {
      onMessage(JSON.parse(line));
      return;
    }
    key = line;
    for (const message of early.splice(0)) send(message);
  };
  duplex.once('close', onClose);
  readLines(duplex, onLine, () => duplex.destroy());
  return send;
}

function channelSocket(): Socket {
  try {
    return new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
  } catch (thrown) {
    throw new Error(`--worker is internal: ${messageOf(thrown)}`);
  }
}

function readLines(duplex: Duplex, onLine: (line: string) => void, onOverlong: () => void): void {
  const lines = createLineSplitter(MOST_UNITS, onLine, onOverlong);
  // Whether the other end is still there shows by `close`.
  duplex.on('data', (bytes: Buffer) => lines.write(bytes)).on('error', () => {});
}

function parsed(text: string): FromWorker | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
