// Changes one line of the core at a time, in a copy of the repository, and runs the specs that have to notice.
// `npm run mutations -- gate` tries those of which the place has "gate" in it.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutation } from './mutation.ts';
import { mutations } from './mutations.ts';

const root = join(__dirname, '../..');
/** Generous: a mutation may make a spec wait for what never comes. */
const LIMIT_MS = 300_000;

type Outcome = 'killed' | 'SURVIVED' | 'NOT FOUND';

function copyOf(home: string, nth: number): string {
  const copy = join(home, String(nth));
  for (const name of ['lib', 'spec', 'samples', 'package.json', 'tsconfig.json', 'README.md', 'CONTRIBUTING.md'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function specFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.spec.ts')).map((name) => join(path, name));
}

async function fails(copy: string, specs: readonly string[], stdio: 'ignore' | 'inherit' = 'ignore'): Promise<boolean> {
  const files = specs.flatMap((spec) => specFiles(join(copy, 'spec', spec)));
  // Mocha's other command starts a process of its own, which would outlive a limit that kills the first.
  const mocha = ['--conditions=hookline:source', join(root, 'node_modules', 'mocha', 'lib', 'cli', 'cli.js')];
  const flags = ['--no-config', '-r', 'ts-node/register', '-r', './spec/quiet-console.ts', '--bail', '--exit'];
  const child = spawn(process.execPath, [...mocha, ...flags, '--timeout', '60000', '--reporter', 'dot', ...files], {
    cwd: copy,
    stdio,
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (code) => resolve(code !== 0)));
}

async function tryOut(copy: string, { file, from, to, specs }: Mutation): Promise<Outcome> {
  const path = join(copy, 'lib', file);
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) return 'NOT FOUND';
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  const killed = await fails(copy, specs);
  writeFileSync(path, source);
  return killed ? 'killed' : 'SURVIVED';
}

async function main(word = ''): Promise<void> {
  const wanted = mutations.filter(({ file, from }) => `${file}: ${from}`.includes(word));
  const home = mkdtempSync(join(tmpdir(), 'hookline-mutations-'));
  const waiting = wanted.entries();
  const issues: string[] = [];
  try {
    // What fails without any mutation would kill each of them.
    const healthy = copyOf(home, -1);
    const specs = [...new Set(wanted.flatMap(({ specs }) => specs))];
    if (await fails(healthy, specs, 'inherit')) throw new Error('These specs fail without a mutation.');
    const work = async (nth: number): Promise<void> => {
      const copy = copyOf(home, nth);
      for (const [index, mutation] of waiting) {
        const outcome = await tryOut(copy, mutation);
        const line = `${outcome.padEnd(9)}  lib/${mutation.file}: ${mutation.from.trim()} -> ${mutation.to || 'nothing'}`;
        console.log(`${String(index + 1).padStart(3)}/${wanted.length}  ${line}`);
        if (outcome !== 'killed') issues.push(line);
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, (_, nth) => work(nth)));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  console.log(`\n${wanted.length - issues.length} of ${wanted.length} killed`);
  for (const line of issues) console.log(line);
  if (issues.length > 0 || wanted.length === 0) process.exitCode = 1;
}

main(process.argv[2]).catch((thrown) => {
  console.error(thrown);
  process.exitCode = 1;
});
