import type { Readable, Writable } from 'node:stream';
import { readLines } from '../../../process-hooks/line-splitter.ts';

/** The stdio streams of a client. */
export interface ClientPipes {
  readonly input: Readable;
  readonly output: Writable;
  /** Receives each line of the server's standard error. */
  readonly errors: (line: string) => void;
}

/** The maximum length of a message, in characters. */
const MAX_LINE = 64 * 1_024 * 1_024;
/** How long pending calls may take after their client has disconnected. */
export const GRACE_MS = 2_000;

/** The targets that each source waits for. */
const waiting = new WeakMap<Readable, Set<Writable>>();

/** Writes a line. Lines of the same tick are written together. While the target is full, `sources` are paused. */
export function write(target: Writable, text: string, ...sources: readonly (Readable | undefined)[]): void {
  if (target.destroyed || target.writableEnded) return;
  if (target.writableCorked === 0) {
    target.cork();
    process.nextTick(() => target.uncork());
  }
  if (target.write(`${text}\n`)) return;
  for (const source of sources) {
    if (!source || waiting.get(source)?.has(target)) continue;
    const targets = waiting.get(source) ?? new Set();
    waiting.set(source, targets.add(target));
    source.pause();
    // A destroyed stream accepts no more data.
    const taken = (): void => {
      target.off('drain', taken).off('close', taken);
      targets.delete(target);
      if (targets.size === 0) source.resume();
    };
    target.on('drain', taken).on('close', taken);
  }
}

/** Reads lines, and resolves when the source ends. `onOverlong` receives the limit. */
export function read(
  source: Readable | undefined,
  onLine: (line: string) => void,
  onOverlong: (limit: number) => void,
): Promise<void> {
  if (!source) return Promise.resolve();
  const onText = (line: string): void => {
    if (line !== '') onLine(line);
  };
  return readLines(source, MAX_LINE, onText, () => onOverlong(MAX_LINE));
}
