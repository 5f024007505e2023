import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isBuilt } from '../is-built.ts';
import { tempFolder } from '../temp-folder.ts';

/** The repository. */
export const root = join(__dirname, '../..');

/** Starts the command line from a checkout, in any current directory. */
export const fromSource: readonly string[] = [
  process.execPath,
  ...['-C', 'hookline:source', '-r', require.resolve('ts-node/register')],
  join(root, 'lib/cli/main.ts'),
];

const built = join(root, 'dist/cli/main.js');

/** The command that the specs start about two hundred times: the built one unless its source is newer, because it starts in a third of the time. */
export const command: readonly string[] = isBuilt() ? [process.execPath, built] : fromSource;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const state = tempFolder('cli-state');

/** A temporary folder with files in it. */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const made = tempFolder('cli');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(made, name)), { recursive: true });
    writeFileSync(join(made, name), content);
  }
  return made;
}

/** Environment of the command line, without the variables that select its colours and state folder. */
export function environment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { CI: _, FORCE_COLOR: __, NO_COLOR: ___, ...env } = process.env;
  const own = { TERM: 'xterm', TS_NODE_PROJECT: join(root, 'tsconfig.json'), XDG_STATE_HOME: state };
  return { ...env, ...own, ...extra };
}

/** Starts the command line without a terminal, wherever the specs run. */
export function start(args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const [node = '', ...rest] = command;
  const env = environment(options.env);
  return spawn(node, [...rest, ...args], { cwd: root, detached: true, stdio: 'pipe', ...options, env });
}

/** Runs the command line until it exits. */
export async function hookline(
  args: readonly string[],
  { input = '', ...options }: SpawnOptions & { readonly input?: string | Buffer } = {},
): Promise<Outcome> {
  const child = start(args, options);
  child.stdin?.on('error', () => {}).end(input);
  return outcomeOf(child);
}

/** Waits for the exit of a process and the end of its output. */
export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')]);
  return { code, stdout, stderr };
}

/** Parsed output of `--json`. */
export function eventsOf({ stdout }: Pick<Outcome, 'stdout'>): Record<string, unknown>[] {
  const lines = stdout.split('\n');
  if (lines.pop() !== '') throw new Error('the last line has no end');
  return lines.map((line) => JSON.parse(line));
}
