import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../store/documents/make-folder.ts';

/** Values on their way to a store. If the process ends first, they are written to files for the next process. */
export interface LeftBehind<T> {
  /** Keeps a value until it is stored. */
  hold(value: T): HeldValue;
  /** The files of ended processes. */
  files(): readonly LeftFile[];
}

/** A file of an ended process. */
export interface LeftFile {
  /** Returns the content: `value` undefined if it is damaged, `'gone'` if another process has removed it. */
  read(): { readonly value: unknown } | 'gone';
  write(value: unknown): void;
  /** Deletes the file. */
  done(): void;
}

export interface HeldValue {
  /** The value is in the store. */
  done(): void;
  /** The store rejected the value: writes it to a file, and returns whether that succeeded. */
  leave(): boolean;
}

const PREFIX = 'left-';
/** Limits the disk space while a store is down for days. */
const MOST_FILES = 1_000;

/** Keeps values for `folder`, which is created if needed. Without a folder, no files are written. */
export function leftBehind<T>(folder: string | undefined): LeftBehind<T> {
  const held = new Set<{ readonly value: T }>();

  /** Synchronous, because the process may be about to end. Returns the number of values written. */
  function write(values: readonly T[]): number {
    if (folder === undefined) return 0;
    let written = 0;
    try {
      makeFolder(folder, 0o700);
      for (const value of values.slice(0, MOST_FILES - filesIn(folder).length)) {
        const file = join(folder, `${PREFIX}${randomUUID()}.json`);
        writeFileSync(file, JSON.stringify(value), { mode: 0o600, flag: 'wx' });
        written += 1;
      }
    } catch (thrown) {
      process.emitWarning(`${values.length - written} memories could not be stored in ${folder}: ${String(thrown)}`);
    }
    return written;
  }

  const leaveAll = () => void write([...held].map(({ value }) => value));

  return {
    hold(value) {
      const one = { value };
      if (held.size === 0) process.on('exit', leaveAll);
      held.add(one);
      const done = () => {
        if (held.delete(one) && held.size === 0) process.off('exit', leaveAll);
      };
      return {
        done,
        leave() {
          done();
          return write([value]) === 1;
        },
      };
    },
    files: () =>
      folder === undefined || !existsSync(folder) ? [] : filesIn(folder).map((name) => leftFile(join(folder, name))),
  };
}

const filesIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith(PREFIX));

function leftFile(file: string): LeftFile {
  return {
    read: () => (existsSync(file) ? { value: readJson(file) } : 'gone'),
    write: (value) => writeFileSync(file, JSON.stringify(value), { mode: 0o600 }),
    done: () => rmSync(file, { force: true }),
  };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
