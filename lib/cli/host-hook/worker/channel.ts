import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { parseJson } from '../../../events/values/parse-json.ts';
import { createLineSplitter } from '../../../process-hooks/line-splitter.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** The file descriptor of a worker's channel. */
export const CHANNEL_FD = 3;

/** Maximum size of a message in UTF-16 units. It exceeds the largest event with every character escaped. */
const MOST_UNITS = 400 * 1024 * 1024;

/**
 * Opens the front's end of the channel. The first line contains a key, and only lines that start with it count as messages of the worker. So hooks or
 * addons that write to the descriptor by mistake have no effect. Such a line calls `onForeign`, because it may have cut a message.
 */
export function openFrontChannel(
  duplex: Duplex,
  onMessage: (message: FromWorker) => void,
  onForeign: () => void,
): (message: ToWorker) => void {
  // Loaded while the worker starts, which has been spawned before.
  const { randomBytes }: typeof import('node:crypto') = require('node:crypto');
  const key = randomBytes(16).toString('hex');
  readLines(
    duplex,
    (line) => {
      const message = line.startsWith(key) ? (parseJson(line.slice(key.length)) as FromWorker | undefined) : undefined;
      if (message) onMessage(message);
      else onForeign();
    },
    onForeign,
  );
  duplex.write(`${key}\n`);
  return (message) => void (duplex.writable && duplex.write(`${JSON.stringify(message)}\n`));
}

/** Opens the worker's end. No other code in its process knows the key. Messages sent before the key arrives are queued. */
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
  // `close` reports that the other end is gone.
  duplex.on('data', (bytes: Buffer) => lines.write(bytes)).on('error', () => {});
}
