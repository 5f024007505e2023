import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder that goes with the process, and what is done in it. */
export function createProject(name) {
  const at = mkdtempSync(join(tmpdir(), `hookline-${name}-`));
  process.on('exit', () => rmSync(at, { recursive: true, force: true }));
  const options = { cwd: at, encoding: 'utf8', stdio: 'pipe', timeout: 180_000 };
  const run = (program, args, cwd = at) => execFileSync(program, args, { ...options, cwd });
  return {
    at,
    run,
    node: (...args) => run(process.execPath, args),
    /** The same for what may fail: how it ended, and what it wrote. */
    tryNode: (...args) => spawnSync(process.execPath, args, options),
    bin: (file) => join(at, 'node_modules', file),
    write(file, text) {
      mkdirSync(dirname(join(at, file)), { recursive: true });
      writeFileSync(join(at, file), text);
      return file;
    },
  };
}
