import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'mocha';
import { tempFolder } from '../temp-folder.ts';

/** `run_command` starts `/bin/sh`. Other tools start bash, as do systems on which /bin/sh is bash. */
const SHELLS = ['/bin/sh', '/bin/bash'];
/** Programs of the system, started with the programs of the sandbox first in the path. */
const SYSTEM = [
  ...[
    'bash',
    'cat',
    'cp',
    'dash',
    'dd',
    'echo',
    'env',
    'find',
    'grep',
    'head',
    'ln',
    'mv',
    'nice',
    'nohup',
    'prlimit',
    'sed',
    'setarch',
    'setsid',
  ],
  ...[
    'sh',
    'sleep',
    'sort',
    'split',
    'stdbuf',
    'tar',
    'tee',
    'time',
    'timeout',
    'true',
    'xargs',
    'awk',
    'python3',
    'perl',
  ],
];
/** The files of the working directory. */
export const untouched = ['1', 'bad'];

/** The effects of shells for a line: the programs that ran, and the files in the working directory afterwards. */
export interface Effects {
  readonly programs: Set<string>;
  readonly files: string[];
}

/** Skips the specs, with a reason, on a machine without bash. */
export function needBash(mocha: Context): void {
  if (spawnSync('bash', ['-c', 'true']).status === 0) return;
  console.log('      bash is not installed; these specs need it');
  mocha.skip();
}

/** Creates a folder of programs that log their names, `ok` and `bad`. Returns a function that runs a line in each shell. */
export function shellSandbox(): (line: string, shells?: readonly string[]) => Effects {
  const folder = tempFolder('match-command');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const program = (name: string, text: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  for (const name of ['ok', 'bad']) program(name, `echo ${name} >> "${folder}/log"`);
  for (const name of SYSTEM)
    for (const path of [`/usr/bin/${name}`, `/bin/${name}`])
      if (existsSync(path)) program(name, `PATH="${bin}:/usr/bin:/bin" exec ${path} "$@"`);
  program('sudo', 'exec "$@"');

  return (line, shells = SHELLS) => {
    const cwd = join(folder, 'cwd');
    const files = new Set<string>();
    rmSync(join(folder, 'log'), { force: true });
    for (const shell of shells) {
      rmSync(cwd, { recursive: true, force: true });
      mkdirSync(cwd);
      for (const name of untouched)
        writeFileSync(join(cwd, name), `#!/bin/sh\necho bad >> "${folder}/log"\n`, { mode: 0o755 });
      spawnSync(shell, ['-c', line], {
        cwd,
        env: { PATH: bin, BIN: bin, X: 'bad', Y: '1 bad', F: '. -exec bad ;', O: '-oL bad', HOME: cwd },
        timeout: 5_000,
        input: '',
      });
      // A command in the background outlives the shell.
      if (/&/.test(line)) spawnSync('sleep', ['0.1']);
      for (const name of readdirSync(cwd)) files.add(name);
      if (untouched.some((name) => !existsSync(join(cwd, name)))) files.add('(some are gone)');
    }
    const log = existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : '';
    return { programs: new Set(log.split('\n').filter(Boolean)), files: [...files].sort() };
  };
}
