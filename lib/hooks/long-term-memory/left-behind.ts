import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';

/** Values on their way to a store, which a process that ends in between leaves behind in files, for the next one to take up. */
export interface LeftBehind<T> {
  /** Keeps a value safe until what it gives is called. */
  hold(value: T): () => void;
  /** What ended processes have left behind; `done` takes it away. The value of a file that is damaged is undefined. */
  takeUp(): readonly { readonly value: unknown; done(): void }[];
}

const PREFIX = 'left-';

/** Watches over values in `folder`, which is made when needed; without one nothing is left behind. */
export function leftBehind<T>(folder: string | undefined): LeftBehind<T> {
  const held = new Set<{ readonly value: T }>();

  /** The process ends: what is done here has to be synchronous. */
  function leave(): void {
    if (folder === undefined) return;
    try {
      makeFolder(folder, 0o700);
      for (const { value } of held)
        writeFileSync(join(folder, `${PREFIX}${randomUUID()}.json`), JSON.stringify(value), {
          mode: 0o600,
          flag: 'wx',
        });
    } catch (thrown) {
      process.emitWarning(`${held.size} memories could not be kept in ${folder}: ${String(thrown)}`);
    }
  }

  return {
    hold(value) {
      const one = { value };
      if (held.size === 0) process.on('exit', leave);
      held.add(one);
      return () => {
        if (held.delete(one) && held.size === 0) process.off('exit', leave);
      };
    },
    takeUp() {
      if (folder === undefined || !existsSync(folder)) return [];
      const files = readdirSync(folder).filter((name) => name.startsWith(PREFIX));
      return files.map((name) => {
        const file = join(folder, name);
        return { value: readJson(file), done: () => rmSync(file, { force: true }) };
      });
    },
  };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
