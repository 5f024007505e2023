import { appendFileSync, closeSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { HooklineError } from '../errors.ts';

/** A file of JSON lines. A line has left the process when `write` returns, so nothing is to be flushed or closed. */
export interface AuditFile {
  readonly path: string;
  /** Appends one line; never throws. */
  write(line: string): void;
  /** Why writing fails; given once for each time that it begins to. */
  takeFault(): Error | undefined;
}

const MODE = 0o600;

/**
 * Opens `file` (its folders are made) for appending; `INPUT_INVALID` when that cannot be done. The file is opened anew for each
 * line, so it may be rotated or removed under a running process. Lines that could not be written are counted by an `audit_gap`
 * line as soon as writing works again.
 */
export function openAuditFile(file: string): AuditFile {
  const path = resolve(file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, 'a', MODE));
  } catch (cause) {
    const why = (cause as Error).message;
    throw new HooklineError('INPUT_INVALID', `The audit file "${path}" cannot be opened for appending: ${why}`, {
      cause,
    });
  }
  let torn = endsWithinLine(path);
  let lost = 0;
  let failing = false;
  let fault: Error | undefined;

  function append(line: string): void {
    const gap = lost > 0 ? `${JSON.stringify({ level: 50, lost, msg: 'audit_gap' })}\n` : '';
    appendFileSync(path, `${torn ? '\n' : ''}${gap}${line}`, { mode: MODE });
    torn = false;
    lost = 0;
  }

  return {
    path,
    write(line) {
      try {
        append(line);
        failing = false;
      } catch (thrown) {
        const error = thrown as NodeJS.ErrnoException;
        if (!failing) fault = error;
        failing = true;
        if (error.code === 'ENOENT' && appendInNewFolder(line)) return;
        torn = endsWithinLine(path);
        lost += 1;
      }
    },
    takeFault() {
      const taken = fault;
      fault = undefined;
      return taken;
    },
  };

  function appendInNewFolder(line: string): boolean {
    try {
      mkdirSync(dirname(path), { recursive: true });
      torn = false;
      append(line);
      failing = false;
      return true;
    } catch {
      return false;
    }
  }
}

/** Whether the last line lacks its end, as after a crash or on a full disk: the next record would be glued to it. */
function endsWithinLine(path: string): boolean {
  try {
    const { size } = statSync(path);
    if (size === 0) return false;
    const last = Buffer.alloc(1);
    const fd = openSync(path, 'r');
    try {
      return readSync(fd, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}
