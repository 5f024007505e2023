import { appendFileSync, closeSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { HooklineError } from '../../errors.ts';
import { makeFolder } from '../../store/documents/make-folder.ts';
import { endOfLines } from '../../store/lines/end-of-lines.ts';
import { jsonLine } from '../../store/lines/json-line.ts';
import { CHAIN_BYTES, createChain } from './chain.ts';
import { createRotation, type RotationOptions } from './rotation.ts';

/** A file of JSON lines. `write` is synchronous, so no flush or close is needed. */
export interface AuditFile {
  readonly path: string;
  /** Appends one line; never throws. */
  write(line: string): void;
  /** Returns the error of writing or rotating, once per series of failures. */
  takeFailure(): AuditFailure | undefined;
}

export interface AuditFailure {
  readonly error: Error;
  /** The consequence of the failure. */
  readonly effect: string;
}

/** Options for rotation and chains. */
export interface AuditFileOptions {
  readonly rotate?: RotationOptions | undefined;
  /** Whether each line contains a hash of the previous lines, keyed if `key` is set. */
  readonly chain?: { readonly key: string | undefined } | undefined;
  /** The time of the next line in milliseconds (default: the system's). */
  readonly now?: () => number;
}

const MODE = 0o600;

/**
 * Opens `file` for appending and creates its folders; throws `INPUT_INVALID` if it cannot. The file is opened for each line, so it may be rotated or
 * removed while the process runs. After failed writes, the next line that can be written is preceded by an `audit_gap` line with their number.
 * Several processes may write to one file, rotated or not, because each line is one append.
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
      `Cannot open the audit file "${path}" for appending: ${why}. Set another path in the option "file"; the default of hookline is in XDG_STATE_HOME.`,
      { cause },
    );
  }
  const chain = chained && createChain(path, chained.key, MODE);
  const rotateFor = rotate && createRotation(path, rotate, now, MODE);
  let torn = endsWithinLine(path);
  let lost = 0;
  let failing = false;
  let stuck = false;
  let issue: AuditFailure | undefined;

  function append(line: string): void {
    const gap = lost > 0 ? [jsonLine({ level: 50, lost, msg: 'audit_gap' })] : [];
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
      if (!stuck) issue = { error: thrown as Error, effect: 'the audit file cannot be rotated and keeps growing' };
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
        if (!failing) issue = { error, effect: 'the audit file is not writable; records may be lost' };
        failing = true;
        if (error.code === 'ENOENT' && appendInNewFolder(line)) return;
        torn = endsWithinLine(path);
        lost += 1;
      }
    },
    takeFailure() {
      const taken = issue;
      issue = undefined;
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

/** Resolves a symbolic link, because a rename would move the link. */
function plainFile(path: string): string {
  const real = realpathSync(path);
  if (!statSync(real).isFile()) throw new Error('it is not a regular file; rotation and chains need one');
  return real;
}

/** Returns whether the last line is incomplete, as after a crash or on a full disk. The next record would be appended to it. */
function endsWithinLine(path: string): boolean {
  try {
    return endOfLines(path) === 'cut';
  } catch {
    return false;
  }
}
