import { howEnded } from '../../../processes/how-ended.ts';
import { spawnGroup } from '../../../processes/spawn-group.ts';
import type { Printed } from '../output/read-output.ts';
import type { CommandHandler } from '../settings/settings.ts';
import { quotePlaceholders, substituteWords } from './substitute.ts';

export interface CommandPlace {
  readonly cwd: string;
  /** Variables in addition to those of the host. `CLAUDE_..` variables are also replaced in arguments. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A command that did not end by itself. */
export interface NotEnded {
  readonly failure: string;
}

/** Maximum number of characters of an output. The rest is dropped. */
const MAX_OUTPUT = 1 << 20;

const tooMuch = `printed more than ${MAX_OUTPUT} characters, so its decision was not read`;

/** Runs a command with `input` on standard input and reads its output. After a timeout or cancellation, the whole process group is killed. */
export async function runCommand(
  { command, args, shell }: CommandHandler,
  input: string,
  { cwd, env, timeoutMs, signal }: CommandPlace,
): Promise<Printed | NotEnded> {
  if (shell === 'powershell') return { failure: 'requires powershell, which is not supported' };
  const line = quotePlaceholders(command);
  const inShell = shell === 'bash' ? ['bash', '-c', line] : line;
  const program = args ? substituteWords([command, ...args], env) : inShell;
  const group = spawnGroup(program, { cwd, env: { ...process.env, ...env }, input: true });
  const [stdout, stderr] = group.outputs.map((output) => {
    let text = '';
    output.setEncoding('utf8');
    let over = false;
    output.on('data', (piece: string) => {
      over ||= text.length + piece.length > MAX_OUTPUT;
      if (text.length < MAX_OUTPUT) text += piece.slice(0, MAX_OUTPUT - text.length);
    });
    output.on('error', () => {});
    const closed = new Promise<void>((resolve) => output.once('close', resolve));
    return { read: () => text, over: () => over, closed };
  });
  // A script does not have to read its input.
  group.input?.on('error', () => {});
  group.input?.end(input);

  let cut: string | undefined;
  const stop = (why: string) => {
    cut ??= why;
    void group.stop();
  };
  let late: NodeJS.Timeout | undefined;
  // Later output is ignored, however long the process takes to exit.
  const over = new Promise<undefined>((resolve) => {
    late = setTimeout(() => {
      stop(`did not end within ${timeoutMs} ms`);
      resolve(undefined);
    }, timeoutMs);
  });
  const cancel = () => stop('was cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const exit = await Promise.race([group.exited, over]);
    if (!exit) return { failure: cut as string };
    // Background processes may hold the pipes open. After a short time, the output so far is used.
    await Promise.race([
      Promise.all([stdout?.closed, stderr?.closed]),
      new Promise((resolve) => setTimeout(resolve, 250).unref()),
    ]);
    if (cut !== undefined) return { failure: cut };
    if (exit.failure || exit.code === null) return { failure: howEnded(exit, cwd) };
    const printed = { code: exit.code, stdout: stdout?.read() ?? '', stderr: stderr?.read() ?? '' };
    if (!stdout?.over()) return printed;
    // Truncated output is not used, but the exit code still applies.
    return exit.code === 2 ? { ...printed, stdout: '' } : { failure: tooMuch };
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', cancel);
    for (const output of group.outputs) output.destroy();
  }
}
