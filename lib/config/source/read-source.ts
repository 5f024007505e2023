import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { extname } from 'node:path';
import { HooklineError } from '../../errors.ts';
import type { ConfigFault } from '../faults/fault.ts';
import { parseSource } from './parse-source.ts';
import type { Source } from './source.ts';

/** Bytes of a configuration, at most. */
const MOST = 4 * 1024 * 1024;

/** Reads a file of JSON, JSON with comments, or YAML, told by its name, else by how it begins. One that cannot be read is `INPUT_INVALID`. */
export function readSource(file: string, faults: ConfigFault[]): Source {
  let bytes: Buffer;
  try {
    bytes = readBytes(file);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw new HooklineError('INPUT_INVALID', `The configuration "${file}" cannot be read: ${why}.`, { cause });
  }
  const nowhere = { file, line: 1, column: 1, path: [] };
  const empty: Source = { file, value: undefined, placeOf: () => nowhere };
  if (bytes.length > MOST) {
    faults.push({ ...nowhere, message: `it has more than ${MOST} bytes, the most that is read.` });
    return empty;
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return parseSource(file, text, faults, extname(file));
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    faults.push({ ...nowhere, message: 'it is not UTF-8 text.' });
    return empty;
  }
}

/** All bytes of a file or pipe; of a longer one, more than may be read. */
function readBytes(file: string): Buffer {
  const fd = openSync(file, 'r');
  try {
    const stats = fstatSync(fd);
    // A device may go on for ever. What a shell pipes in is a socket now and then.
    const what = stats.isDirectory() ? 'a folder' : 'a device';
    if (!stats.isFile() && !stats.isFIFO() && !stats.isSocket())
      throw new Error(`it is ${what}; name a file or a pipe`);
    const parts: Buffer[] = [];
    for (let length = 0; length <= MOST; ) {
      const part = Buffer.allocUnsafe(64 * 1024);
      const read = readSync(fd, part);
      if (read === 0) break;
      parts.push(part.subarray(0, read));
      length += read;
    }
    return Buffer.concat(parts);
  } finally {
    closeSync(fd);
  }
}
