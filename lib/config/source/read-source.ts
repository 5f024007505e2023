import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { HooklineError } from '../../errors.ts';
import type { ConfigIssue } from '../issues/config-issue.ts';
import { parseSource } from './parse-source.ts';
import type { Source } from './source.ts';

/** Maximum size of a configuration, in bytes. */
const MOST = 4 * 1024 * 1024;
/** Maximum number of files whose parse is kept, and maximum length of each. The tree of YAML takes dozens of times its text. */
const MOST_PARSED = 8;
const MOST_KEPT = 100_000;

/**
 * Reads a file of JSON, JSON with comments, or YAML. The name of the file determines the format, otherwise its content. Throws `INPUT_INVALID` if the
 * file cannot be read.
 */
export function readSource(file: string, issues: ConfigIssue[]): Source {
  let bytes: Buffer;
  try {
    bytes = readBytes(file);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw new HooklineError('INPUT_INVALID', `Cannot read the configuration "${file}": ${why}.`, { cause });
  }
  const nowhere = { file, line: 1, column: 1, path: [] };
  const empty: Source = { file, value: undefined, placeOf: () => nowhere };
  if (bytes.length > MOST) {
    issues.push({ ...nowhere, message: `the configuration is larger than ${MOST} bytes. Split it.` });
    return empty;
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    let known = parsed.get(file);
    if (known?.text !== text) {
      const found: ConfigIssue[] = [];
      known = { text, source: parseSource(file, text, found, extname(file)), issues: found };
      parsed.delete(file);
      if (text.length <= MOST_KEPT) parsed.set(file, known);
      for (const oldest of parsed.keys()) if (parsed.size > MOST_PARSED) parsed.delete(oldest);
    }
    for (const issue of known.issues) issues.push(issue);
    // A hook may change its options.
    return { ...known.source, value: structuredClone(known.source.value) };
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    issues.push({ ...nowhere, message: 'the configuration is not UTF-8.' });
    return empty;
  }
}

/** The latest parse of each file, because a command loads its configuration more than once. */
const parsed = new Map<string, { text: string; source: Source; issues: readonly ConfigIssue[] }>();

/** The bytes of pipes by path, for the same reason. */
const pipes = new Map<string, Buffer>();

/** Returns all bytes of a file or pipe; of a larger one, more than the maximum. */
function readBytes(file: string): Buffer {
  const known = pipes.get(file);
  if (known && !statSync(file).isFile()) return known;
  const fd = openSync(file, 'r');
  try {
    const stats = fstatSync(fd);
    // A device may be endless. A shell pipe is sometimes a socket.
    const what = stats.isDirectory() ? 'a folder' : 'a device';
    if (!stats.isFile() && !stats.isFIFO() && !stats.isSocket()) throw new Error(`it is ${what}; use a file or a pipe`);
    const parts: Buffer[] = [];
    for (let length = 0; length <= MOST; ) {
      const part = Buffer.allocUnsafe(64 * 1024);
      const read = readSync(fd, part);
      if (read === 0) break;
      parts.push(part.subarray(0, read));
      length += read;
    }
    const bytes = Buffer.concat(parts);
    if (!stats.isFile()) pipes.set(file, bytes);
    return bytes;
  } finally {
    closeSync(fd);
  }
}
