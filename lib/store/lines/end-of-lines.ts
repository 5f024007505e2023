import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** How a file of lines ends: `empty` (or missing), with a `whole` line, or with a line that a crash or a full disk has `cut`. */
export function endOfLines(path: string): 'empty' | 'whole' | 'cut' {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return 'empty';
    throw thrown;
  }
  try {
    const { size } = fstatSync(fd);
    const last = Buffer.alloc(1);
    if (size === 0 || readSync(fd, last, 0, 1, size - 1) === 0) return 'empty';
    return last.toString() === '\n' ? 'whole' : 'cut';
  } finally {
    closeSync(fd);
  }
}
