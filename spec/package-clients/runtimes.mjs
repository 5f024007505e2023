import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { attempt, demand } from './attempt.mjs';

const PROGRAMS = {
  'Node 22': 'node22-linux-x64/bin/node',
  'Node 24': 'node24-linux-x64/bin/node',
  Bun: 'bun-linux-x64/bin/bun',
  Deno: 'deno-linux-x64/deno',
};

/** A hook that works, as the client's text; needs createPipeline, defineHook and deny. */
export const EXAMPLE = `
const hook = defineHook({ name: 'guard', on: { preActing: (event) => deny(event, 'no') } });
const pipeline = createPipeline([hook]);
if (pipeline.hooks.length !== 1) throw new Error('no hook');`;

/** Loads the package in every runtime that there is, in both ways. */
export function tryRuntimes({ run, bin, write }) {
  write(
    'main.cjs',
    `const { createPipeline, defineHook, deny } = require('hookline');${EXAMPLE}\nrequire('hookline/hooks'); console.log('works');`,
  );
  write(
    'main.mjs',
    `import { createRequire } from 'node:module';
import { createPipeline, defineHook, deny, HooklineError } from 'hookline';
import { auditLog } from 'hookline/hooks';${EXAMPLE}
if (createRequire(import.meta.url)('hookline').HooklineError !== HooklineError) throw new Error('two instances');
if (typeof auditLog !== 'function') throw new Error('no hooks');
console.log('works');`,
  );
  const runtimes = { [`Node ${process.versions.node}`]: process.execPath };
  for (const [name, file] of Object.entries(PROGRAMS)) {
    const works = existsSync(bin(file)) && spawnSync(bin(file), ['--version'], { timeout: 20_000 }).status === 0;
    if (works) runtimes[name] = bin(file);
    else console.log(`left out ${name}: its npm package has no program that runs on this machine`);
  }
  for (const [name, program] of Object.entries(runtimes)) {
    const before = name === 'Deno' ? ['run', '-A', '--node-modules-dir=manual'] : [];
    attempt(`${name}: require`, () => demand(run(program, [...before, 'main.cjs']).includes('works'), 'nothing said'));
    attempt(`${name}: import, the same instance`, () =>
      demand(run(program, [...before, 'main.mjs']).includes('works'), 'nothing said'),
    );
  }
}
