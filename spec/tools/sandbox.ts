import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from '../temp-folder.ts';

/** A workspace with an outside folder, both on disk. */
export interface Sandbox {
  readonly root: string;
  readonly outside: string;
  /** Writes files: paths starting with `outside/` there, all others to the workspace. */
  put(files: Readonly<Record<string, string | Buffer>>): void;
  remove(): void;
}

export function makeSandbox(): Sandbox {
  const base = realpathSync(tempFolder('tools'));
  const [root, outside] = [join(base, 'workspace'), join(base, 'outside')];
  mkdirSync(root);
  mkdirSync(outside);
  return {
    root,
    outside,
    put(files) {
      for (const [path, content] of Object.entries(files)) {
        const file = path.startsWith('outside/') ? join(base, path) : join(root, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, content);
      }
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
