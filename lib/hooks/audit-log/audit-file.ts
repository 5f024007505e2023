import { appendFileSync, closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { HooklineError } from '../../errors.ts';
import { makeFolder } from '../../store/documents/make-folder.ts';
import { CHAIN_BYTES, createChain } from './chain.ts';
import { createRotation, type RotationOptions } from './rotation.ts';

/** A file of JSON lines. A line has left the process when `write` returns, so nothing is to be flushed or closed. */
export interface AuditFile {
  readonly path: string;
  /** Appends one line; never throws. */
  write(line: string): void;
  /** Why writing or rotating fails; given once for each time that it begins to. */
  takeFault(): AuditFault | undefined;
}

export interface AuditFault {
  readonly error: Error;
  /** What that means. */
  readonly effect: string;
}

/** What is done to a file beside appending. */
export interface AuditFileOptions {
  readonly rotate?: RotationOptions | undefined;
  /** Whether each line holds a hash over those before it, under a key if there is one. */
  readonly chain?: { readonly key: string | undefined } | undefined;
  /** The time of the line that is written next, in milliseconds; default: the system's. */
  readonly now?: () => number;
}

const MODE = 0o600;

/**
 * Opens `file` (its folders are made) for appending; `INPUT_INVALID` when that cannot be done. The file is opened anew for each
 * line, so it may be rotated or removed under a running process. Lines that could not be written are counted by an `audit_gap`
 * line as soon as writing works again. Several processes may write to one file, rotated or not: a line is one append.
 */
export function openAuditFile(
  file: string,
  { rotate, chain: chained, now = Date.now }: AuditFileOptions = {},
): AuditFile {
  let path = resolve(file);
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, 'a', MODE));
    if (rotate || chained) path = plainFile(path);
  } catch (cause) {
    const why = (cause as Error).message;
    throw new HooklineError(
      'INPUT_INVALID',
      `The audit file "${path}" cannot be opened for appending: ${why}. Name another one (option "file"); the usual one of hookline is below XDG_STATE_HOME.`,
      { cause },
    );
  }
  const chain = chained && createChain(path, chained.key, MODE);
  const rotateFor = rotate && createRotation(path, rotate, now, MODE);
  let torn = endsWithinLine(path);
  let lost = 0;
  let failing = false;
  let stuck = false;
  let fault: AuditFault | undefined;

  function append(line: string): void {
    const gap = lost > 0 ? [`${JSON.stringify({ level: 50, lost, msg: 'audit_gap' })}\n`] : [];
    const lines = [...gap, line];
    if (rotateFor) makeRoom(rotateFor, lines);
    if (chain) chain.append(lines);
    else appendFileSync(path, `${torn ? '\n' : ''}${lines.join('')}`, { mode: MODE });
    torn = false;
    lost = 0;
  }

  function makeRoom(rotateBefore: (bytes: number) => void, lines: readonly string[]): void {
    try {
      rotateBefore(lines.reduce((sum, line) => sum + Buffer.byteLength(line) + (chain ? CHAIN_BYTES : 0), 0));
      stuck = false;
    } catch (thrown) {
      if (!stuck) fault = { error: thrown as Error, effect: 'the audit file cannot be rotated, and grows on' };
      stuck = true;
    }
  }

  return {
    path,
    write(line) {
      try {
        append(line);
        failing = false;
      } catch (thrown) {
        const error = thrown as NodeJS.ErrnoException;
        if (!failing) fault = { error, effect: 'the audit file cannot be written; records may be lost' };
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
      makeFolder(dirname(path));
      torn = false;
      append(line);
      failing = false;
      return true;
    } catch {
      return false;
    }
  }
}

/** The file itself, where `path` is a link to it: renaming would take the link. */
function plainFile(path: string): string {
  const real = realpathSync(path);
  if (!statSync(real).isFile()) throw new Error('it is not a regular file, which rotation and chains need');
  return real;
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
