import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { type ChainEnd, chainEnd, rollOn } from './chain-end.ts';
import { type ChainPoint, chainLine } from './chain-line.ts';
import { fileIdentity } from './file-identity.ts';
import { rotatedFiles } from './rotated-files.ts';

/** Appends records to a file as lines of a chain; throws what the file system throws. */
export interface Chain {
  append(records: readonly string[]): void;
}

/** How much longer the chain makes a line, at most. */
export const CHAIN_BYTES = 400;

/**
 * A chain in the file at `path` and in its rotated files. Each line says what stood before it: how many bytes, and the hash over them. Writers
 * in several processes need no lock: what others appended is read and taken in first, and lines that were written at the same instant
 * only say less. The next line covers them.
 */
export function createChain(path: string, key: string | undefined, mode: number): Chain {
  const by = randomBytes(4).toString('hex');
  let known: { readonly file: string; readonly end: ChainEnd } | undefined;

  function endOf(fd: number): { readonly end: ChainEnd; readonly whole: boolean } {
    const stats = fstatSync(fd);
    const file = fileIdentity(stats);
    const { size } = stats;
    const end =
      known?.file === file && known.end.at <= size
        ? { ...rollOn(fd, known.end, size), chained: known.end.chained }
        : chainEnd(fd, size);
    known = { file, end };
    return { end, whole: end.at === size };
  }

  return {
    append(records) {
      const fd = openSync(path, 'a+', mode);
      try {
        let { end, whole } = endOf(fd);
        if (!whole) {
          // A crash or a full disk cut a line short. It is ended before this one, so that this one can cover it.
          write(fd, '\n');
          ({ end, whole } = endOf(fd));
        }
        const link = end.chained ? undefined : endBefore(path);
        write(fd, records.map((record) => chainLine(record, { at: end.at, prev: end.prev, by, link }, key)).join(''));
        if (known) known = { ...known, end: { ...known.end, chained: true } };
      } finally {
        closeSync(fd);
      }
    },
  };
}

/** Where the last rotated file ends. */
function endBefore(path: string): ChainPoint | undefined {
  for (const { path: before } of rotatedFiles(path).reverse()) {
    const fd = openSync(before, 'r');
    try {
      const { size } = fstatSync(fd);
      const { at, prev } = chainEnd(fd, size);
      if (at > 0) return { at, prev };
    } finally {
      closeSync(fd);
    }
  }
  return undefined;
}

function write(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}
