import { readFileSync, statSync } from 'node:fs';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';

const MOST_BYTES = 20_000_000;

/** The words of a file, one a line. One that cannot be read, is too big or holds none is `OPTIONS_INVALID`. */
export function readWords(hook: string, path: string): readonly string[] {
  const text = read(hook, path);
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const words = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  if (words.length > 0) return words;
  throw fault(hook, `the file ${path} holds no word; it must have one a line`);
}

function read(hook: string, path: string): string {
  try {
    const { size } = statSync(path);
    if (size <= MOST_BYTES) return readFileSync(path, 'utf8');
    throw new Error(`it has ${Math.round(size / 1e6)} MB, and ${MOST_BYTES / 1e6} MB are the most`);
  } catch (cause) {
    throw fault(hook, `the file of words ${path} cannot be read: ${messageOf(cause)}`, cause);
  }
}

function fault(hook: string, message: string, cause?: unknown): HooklineError {
  return new HooklineError('OPTIONS_INVALID', `The hook "${hook}": ${message}.`, { cause });
}
