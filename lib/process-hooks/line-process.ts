import { setTimeout as after } from 'node:timers/promises';
import { HooklineError } from '../errors.ts';
import { howEnded } from '../processes/how-ended.ts';
import { type ProcessGroup, spawnGroup } from '../processes/spawn-group.ts';
import { readLines } from './line-splitter.ts';

/** Options to start a program that exchanges lines. */
export interface LineProgram {
  readonly command: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** Maximum line length in UTF-16 units. */
  readonly maxLine: number;
  /** Maximum number of buffered bytes for a program that does not read. */
  readonly maxUnread: number;
}

/** Listener of a running program. */
export interface LineListener {
  line(line: string): void;
  /** A line exceeded the limit and was dropped. `head` is its beginning. */
  overlong(head: string): void;
  /** A line of standard error. */
  log(line: string): void;
  /** Called once after the last output: `exited with code 1`, `was killed by SIGTERM`, `could not be started: ..`. */
  ended(how: string): void;
}

/** A program that exchanges lines with the host. */
export interface LineProcess {
  /** Throws `PROCESS_FAILED` if the program has not read earlier lines. */
  send(line: string): void;
  /** Characters that it has and has not read, as far as visible from here. */
  readonly traffic: { readonly unread: number; readonly read: number };
  /** Closes its input. Its whole process group gets SIGTERM after `graceMs`, and SIGKILL two seconds later. */
  stop(graceMs?: number): Promise<void>;
}

/** In characters. */
const WORTH_WRITING = 4_096;

/** How long a program may still write after it has ended, or run after it has closed its output. */
const LINGER_MS = 250;

/** Starts a program in a separate process group. It keeps the host alive until it is stopped. */
export function startLineProcess(program: LineProgram, listener: LineListener): LineProcess {
  const { command, cwd, env, maxLine, maxUnread } = program;
  const group = spawnGroup(command, { ...(cwd !== undefined && { cwd }), env, input: true });
  const [stdout, stderr] = group.outputs;
  let over = false;
  let waiting = '';
  /** Pending writes. None completes before the end of the event loop turn in which it began. */
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
  const onLine = (line: string): void => {
    if (!over) listener.line(line);
  };
  const output = stdout ? readLines(stdout, maxLine, onLine, listener.overlong) : Promise.resolve();
  if (stderr)
    void readLines(stderr, maxLine, listener.log, (head) =>
      listener.log(`${head.slice(0, 80)}.. (a line of more than ${maxLine})`),
    );
  void group.exited.then(async (exit) => {
    await Promise.race([output, after(LINGER_MS, undefined, { ref: false })]);
    end(howEnded(exit, cwd));
  });
  // A program that closed its output can no longer answer, however long it lives.
  void output.then(async () => {
    const exited = await Promise.race([group.exited.then(() => true), after(LINGER_MS, undefined, { ref: false })]);
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
      // Lines of one turn are written in few pieces, because a write costs more than a line. The first line is written at once, and others once they
      // are long enough, so that the program can start early.
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
  const left = await Promise.race([group.exited.then(() => true), after(graceMs, false, { ref: false })]);
  await (left ? group.gone : group.stop());
}
