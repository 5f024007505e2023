import { type ChildProcess, fork, type SpawnOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { command, environment, fromSource, hookline, type Outcome, root } from './hookline.ts';

/** Options of `hookline` that a running process can apply. */
type Options = Pick<SpawnOptions, 'cwd' | 'env'> & { readonly input?: string };

/** Soak starts a process for each command. A checkout without a build has only the source, which also coverage needs. */
const isCold = process.env['HOOKLINE_SOAK'] !== undefined || command === fromSource;

let warm: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Like `hookline`, but runs the commands of all specs in one process, one after another, because a start takes longer than most commands. It is not
 * for commands that a module of hooks ends, that read the terminal or colours, that stay open, or that a signal stops.
 */
export function warmHookline(words: readonly string[], options: Options = {}): Promise<Outcome> {
  if (isCold) return hookline(words, options);
  const outcome = last.then(() => run(words, options));
  last = outcome.catch(() => {});
  return outcome;
}

async function run(words: readonly string[], { cwd = root, env, input = '' }: Options): Promise<Outcome> {
  const child = warm ?? started();
  const mark = `${randomUUID()}\n`;
  hold(child, 'ref');
  const listening = new AbortController();
  const ended = once(child, 'message', listening);
  const lost = once(child, 'exit', listening).then(([code]) => {
    throw new Error(`the process of the commands ended with code ${code}`);
  });
  const output = Promise.all([textUntil(child.stdout!, mark), textUntil(child.stderr!, mark)]);
  child.send({ words, cwd: String(cwd), env: environment(env), input, mark });
  try {
    const [[stdout, stderr], [{ code }]] = await Promise.race([Promise.all([output, ended]), lost]);
    return { code, stdout, stderr };
  } finally {
    listening.abort();
    lost.catch(() => {});
    hold(child, 'unref');
  }
}

function started(): ChildProcess {
  const child = fork(join(__dirname, 'warm-process.cjs'), [command.at(-1)!, join(root, 'dist/cli/run-program.js')], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
  });
  warm = child;
  child.once('exit', () => {
    warm = undefined;
  });
  return child;
}

/** Between commands, the process keeps no worker of mocha alive. It exits with the worker. */
function hold(child: ChildProcess, how: 'ref' | 'unref'): void {
  for (const part of [child, child.channel, child.stdout, child.stderr]) (part as ChildProcess | undefined)?.[how]();
}

/** Reads text up to a mark, which it drops. */
function textUntil(stream: Readable, mark: string): Promise<string> {
  let bytes = Buffer.alloc(0);
  return new Promise((resolve) => {
    const read = (piece: Buffer): void => {
      bytes = Buffer.concat([bytes, piece]);
      if (bytes.subarray(-mark.length).toString() !== mark) return;
      stream.off('data', read);
      resolve(bytes.subarray(0, -mark.length).toString());
    };
    stream.on('data', read);
  });
}
