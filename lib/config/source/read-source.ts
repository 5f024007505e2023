import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { HooklineError } from '../../errors.ts';
import type { ConfigFault } from '../faults/fault.ts';
import { parseSource } from './parse-source.ts';
import type { Source } from './source.ts';

/** Characters of a configuration, at most. */
const MOST = 4 * 1024 * 1024;

/** Reads a file of JSON, JSON with comments, or YAML, told by its name, else by how it begins. One that cannot be read is `INPUT_INVALID`. */
export function readSource(file: string, faults: ConfigFault[]): Source {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw new HooklineError('INPUT_INVALID', `The configuration "${file}" cannot be read: ${why}.`, { cause });
  }
  const nowhere = { file, line: 1, column: 1, path: [] };
  const empty: Source = { file, value: undefined, placeOf: () => nowhere };
  if (bytes.length > MOST) {
    faults.push({ ...nowhere, message: `it has ${bytes.length} bytes; ${MOST} are the most that is read.` });
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
