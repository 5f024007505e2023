import type { Readable } from 'node:stream';
import { HooklineError } from '../errors.ts';
import { type Exit, type ProcessGroup, spawnGroup } from '../processes/spawn-group.ts';
import { whyNotStarted } from '../processes/why-not-started.ts';
import { createLineSplitter } from './line-splitter.ts';

/** How a program that talks in lines is started. */
export interface LineProgram {
  readonly command: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** Longest line that is taken, in UTF-16 units. */
  readonly maxLine: number;
  /** Most bytes that may wait for a program that does not read. */
  readonly maxUnread: number;
}

/** What a running program says. */
export interface LineListener {
  line(line: string): void;
  /** A line was longer than the limit and thrown away; `head` is how it began. */
  overlong(head: string): void;
  /** A line of standard error. */
  log(line: string): void;
  /** Once, when nothing more will come: `exited with code 1`, `was killed by SIGTERM`, `could not be started: ..`. */
  ended(how: string): void;
}

/** A program that is written lines and writes lines. */
export interface LineProcess {
  /** Throws `PROCESS_FAILED` when the program has not read what was sent before. */
  send(line: string): void;
  /** Characters that it has not read, as far as that can be seen from here, and those that it has. */
  readonly traffic: { readonly unread: number; readonly read: number };
  /** Closes its input; SIGTERM after `graceMs`, SIGKILL two seconds later, for its whole process group. */
  stop(graceMs?: number): Promise<void>;
}

/** Characters. */
const WORTH_WRITING = 4_096;

/** What a program may still write after it has ended, or live on after it has closed its output. */
const LINGER_MS = 250;

/** Starts a program in a process group of its own. The host does not wait for it until it is stopped. */
export function startLineProcess(program: LineProgram, listener: LineListener): LineProcess {
  const { command, cwd, env, maxLine, maxUnread } = program;
  const group = spawnGroup(command, { ...(cwd !== undefined && { cwd }), env, input: true });
  const [stdout, stderr] = group.outputs;
  let over = false;
  let waiting = '';
  /** Writes that are not done yet; none is before the end of the turn in which it began. */
  let writing = 0;
  let sent = 0;
  const unread = (): number => (group.input?.writableLength ?? 0) + waiting.length;
  const flush = (): void => {
    if (waiting === '' || !group.input) return;
    const text = waiting;
    waiting = '';
    writing += 1;
    group.input.write(text, written);
  };
  const written = (): void => {
    writing -= 1;
    if (writing === 0) flush();
  };
  const end = (how: string): void => {
    if (over) return;
    over = true;
    for (const output of group.outputs) output.destroy();
    group.input?.destroy();
    listener.ended(how);
  };

  group.hold(false);
  group.input?.on('error', () => {});
  const said = read(stdout, maxLine, (line) => !over && listener.line(line), listener.overlong);
  read(stderr, maxLine, listener.log, (head) =>
    listener.log(`${head.slice(0, 80)}.. (a line of more than ${maxLine})`),
  );
  void group.exited.then(async (exit) => {
    await Promise.race([said, after(LINGER_MS)]);
    end(describe(exit, cwd));
  });
  // A program that has closed its output can answer nothing any more, however long it lives.
  void said.then(async () => {
    const exited = await Promise.race([group.exited.then(() => true), after(LINGER_MS)]);
    if (exited) return;
    end('closed its standard output');
    await group.stop();
  });

  return {
    send(line) {
      if (over) return;
      if (unread() > maxUnread) {
        const message = `does not read its input; more than ${maxUnread} bytes are queued.`;
        throw new HooklineError('PROCESS_FAILED', message);
      }
      waiting += `${line}\n`;
      sent += line.length + 1;
      // What is sent in one turn is written in few pieces, since a write costs more than a line. The first line goes at once, and the others
      // as soon as they are worth it, so that the program works while more is being made.
      if (writing === 0 || waiting.length > WORTH_WRITING) flush();
    },
    get traffic() {
      return { unread: unread(), read: sent - unread() };
    },
    stop(graceMs = 2_000) {
      flush();
      return stop(group, graceMs);
    },
  };
}

async function stop(group: ProcessGroup, graceMs: number): Promise<void> {
  group.hold(true);
  group.input?.end();
  const left = await Promise.race([group.exited.then(() => true), after(graceMs)]);
  await (left ? group.gone : group.stop());
}

/** Resolves when the output has ended. */
function read(
  output: Readable | undefined,
  maxLine: number,
  onLine: (line: string) => void,
  onOverlong: (head: string) => void,
): Promise<void> {
  const splitter = createLineSplitter(maxLine, onLine, onOverlong);
  return new Promise((resolve) => {
    if (!output) return resolve();
    output.on('data', (bytes: Buffer) => splitter.write(bytes));
    output.once('end', () => splitter.end());
    output.once('close', resolve);
    output.on('error', () => {});
  });
}

function describe({ code, signal, failure }: Exit, folder: string | undefined): string {
  if (failure) return `could not be started: ${whyNotStarted(failure, folder)}`;
  return signal ? `was killed by ${signal}` : `exited with code ${code}`;
}

/** Resolves to `false` in so many milliseconds, for which the host does not wait. */
function after(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, ms, false).unref());
}
