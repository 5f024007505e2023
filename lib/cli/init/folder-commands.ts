import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Scripts that are usually harmless to repeat. */
const SCRIPTS = ['test', 'check', 'lint', 'typecheck', 'build'];

/** Other files that show how a folder is tested. */
const MARKS: readonly (readonly [file: string, command: string])[] = [
  ['Cargo.toml', 'cargo test'],
  ['go.mod', 'go test ./...'],
  ['pyproject.toml', 'python3 -m pytest'],
];

/** Returns the build and test commands of a folder, as far as its files show them. */
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
    // Without a readable package.json there are no scripts to offer.
    return [];
  }
}
