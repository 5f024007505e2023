import { randomBytes } from 'node:crypto';
import { appendFileSync, closeSync, fstatSync, openSync } from 'node:fs';
import { type ChainEnd, chainEnd, rollOn } from './chain-end.ts';
import { type ChainPoint, chainLine } from './chain-line.ts';
import { fileIdentity } from './file-identity.ts';
import { rotatedFiles } from './rotated-files.ts';

/** Appends records to a file as lines of a chain. Throws file system errors. */
export interface Chain {
  append(records: readonly string[]): void;
}

/** The maximum number of bytes that the chain adds to a line. */
export const CHAIN_BYTES = 400;

/**
 * A chain in the file at `path` and in its rotated files. Each line contains the number of bytes before it and their hash. Writers in several
 * processes need no lock: each one reads the lines of others first. Lines written at the same instant cover less, and the next line covers them.
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
          // A crash or a full disk cut a line short. It gets a line end first, so that this line can cover it.
          appendFileSync(fd, '\n');
          ({ end, whole } = endOf(fd));
        }
        const link = end.chained ? undefined : endBefore(path);
        appendFileSync(
          fd,
          records.map((record) => chainLine(record, { at: end.at, prev: end.prev, by, link }, key)).join(''),
        );
        if (known) known = { ...known, end: { ...known.end, chained: true } };
      } finally {
        closeSync(fd);
      }
    },
  };
}

/** Returns the end of the last rotated file. */
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
