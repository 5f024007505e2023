import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Scripts that are usually harmless to run again and again. */
const SCRIPTS = ['test', 'check', 'lint', 'typecheck', 'build'];

/** What else tells how a folder is tested. */
const MARKS: readonly (readonly [file: string, command: string])[] = [
  ['Cargo.toml', 'cargo test'],
  ['go.mod', 'go test ./...'],
  ['pyproject.toml', 'python3 -m pytest'],
];

/** The commands with which a folder is built and tested, as far as its files tell. */
export function folderCommands(folder: string): readonly string[] {
  const here = (name: string): boolean => existsSync(join(folder, name));
  const manager = here('pnpm-lock.yaml') ? 'pnpm' : here('yarn.lock') ? 'yarn' : 'npm';
  const scripts = scriptsOf(join(folder, 'package.json'));
  return [
    ...SCRIPTS.filter((name) => scripts.includes(name)).map((name) =>
      name === 'test' ? `${manager} test` : `${manager} run ${name}`,
    ),
    ...MARKS.filter(([file]) => here(file)).map(([, command]) => command),
  ];
}

function scriptsOf(file: string): readonly string[] {
  try {
    const { scripts = {} } = JSON.parse(readFileSync(file, 'utf8'));
    return Object.keys(scripts);
  } catch {
    // Without it, or with one that cannot be read, there is nothing to offer.
    return [];
  }
}
