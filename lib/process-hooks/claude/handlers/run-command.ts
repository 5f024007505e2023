import { spawnGroup } from '../../../processes/spawn-group.ts';
import { whyNotStarted } from '../../../processes/why-not-started.ts';
import type { Printed } from '../output/read-output.ts';
import type { CommandHandler } from '../settings/settings.ts';
import { quotePlaceholders, substituteWords } from './substitute.ts';

/** Where and with what a command runs. */
export interface CommandPlace {
  readonly cwd: string;
  /** Variables beside those of the host; `CLAUDE_..` ones may stand in arguments too. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A command that did not come to its end by itself. */
export interface NotEnded {
  readonly failure: string;
}

/** Most characters that are read of an output; what comes behind is thrown away. */
const MAX_OUTPUT = 1 << 20;

const tooMuch = `printed more than ${MAX_OUTPUT} characters, so its decision was not read`;

/** Runs a command, gives it `input` on standard input, and reads what it prints. Late or cancelled, its whole process group is killed. */
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
  // A script need not read what it is told.
  group.input?.on('error', () => {});
  group.input?.end(input);

  let cut: string | undefined;
  const stop = (why: string) => {
    cut ??= why;
    void group.stop();
  };
  let late: NodeJS.Timeout | undefined;
  // What it prints counts no more then, however long it takes to die.
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
    // What it left in the background may hold the pipes; a little time, then what has come counts.
    await Promise.race([
      Promise.all([stdout?.closed, stderr?.closed]),
      new Promise((resolve) => setTimeout(resolve, 250).unref()),
    ]);
    if (cut !== undefined) return { failure: cut };
    if (exit.failure) return { failure: `could not be started: ${whyNotStarted(exit.failure, cwd)}` };
    if (exit.code === null) return { failure: `was killed by ${exit.signal}` };
    const printed = { code: exit.code, stdout: stdout?.read() ?? '', stderr: stderr?.read() ?? '' };
    if (!stdout?.over()) return printed;
    // Half an output is none; what its exit code says stands.
    return exit.code === 2 ? { ...printed, stdout: '' } : { failure: tooMuch };
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', cancel);
    for (const output of group.outputs) output.destroy();
  }
}
