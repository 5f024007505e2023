import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../store/documents/make-folder.ts';

/** Values on their way to a store, which a process that ends in between leaves behind in files, for the next one to take up. */
export interface LeftBehind<T> {
  /** Keeps a value safe until it is done. */
  hold(value: T): HeldValue;
  /** The files that processes have left behind. */
  files(): readonly LeftFile[];
}

/** A file that a process has left behind. */
export interface LeftFile {
  /** What is in the file now: undefined where it is damaged, `'gone'` where another process has taken it away. */
  read(): { readonly value: unknown } | 'gone';
  write(value: unknown): void;
  /** Takes the file away. */
  done(): void;
}

/** A value that is kept safe. */
export interface HeldValue {
  /** It is in the store. */
  done(): void;
  /** The store does not take it: it goes into a file now. Gives whether it is there. */
  leave(): boolean;
}

const PREFIX = 'left-';
/** A store that takes nothing for days fills no disk. */
const MOST_FILES = 1_000;

/** Watches over values in `folder`, which is made when needed; without one nothing is left behind. */
export function leftBehind<T>(folder: string | undefined): LeftBehind<T> {
  const held = new Set<{ readonly value: T }>();

  /** What is done here has to be synchronous: the process may be about to end. Gives how many could be written. */
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
      process.emitWarning(`${values.length - written} memories could not be kept in ${folder}: ${String(thrown)}`);
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
