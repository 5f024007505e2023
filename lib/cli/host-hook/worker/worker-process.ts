import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Duplex } from 'node:stream';
import { CHANNEL_FD, openFrontChannel } from './channel.ts';
import { BEAT_MS, type FromWorker } from './messages.ts';

/** An event of a worker until it is settled. */
export interface Pending {
  readonly id: number;
  readonly event: string;
  stage: 'queued' | 'running' | 'yielded';
  /** True if another worker had it before. */
  moved: boolean;
  answer(value: unknown): void;
  fail(why: string): void;
}

/** The process that runs the hooks, as the front sees it. */
export interface WorkerProcess {
  readonly pending: ReadonlyMap<number, Pending>;
  /** The files of its hooks, with their states. */
  readonly files: ReadonlyMap<string, string>;
  /** True if some of its hooks could not be created. */
  readonly failed: boolean;
  /** How long the event loop has been blocked, in milliseconds. */
  readonly silentMs: number;
  /** True if its hooks are loaded. */
  readonly loaded: boolean;
  take(pending: Pending): void;
  notify(event: string): void;
  /** Removes an event whose answer is no longer needed. */
  drop(id: number): void;
  /** Asks it to close its hooks and exit, and kills it after this many milliseconds. Resolves when it is gone. */
  end(afterMs: number): Promise<void>;
}

export interface WorkerListener {
  /** It ended by itself, with these events unsettled. */
  gone(pending: readonly Pending[], how: string): void;
  stray(why: string): void;
}

/**
 * Starts a process that runs the hooks: this command with `--worker`. It inherits only standard error of the host, and its standard output is
 * standard error, too. So no output or state of hooks, their children or addons reaches the host.
 */
export function startWorker(words: readonly string[], listener: WorkerListener): WorkerProcess {
  const [main = ''] = process.argv.slice(1);
  const [command = '', ...flags] = words;
  // Not last, where it would be the value of an option without one.
  const child = spawn(process.execPath, [...process.execArgv, main, command, '--worker', ...flags], {
    stdio: ['ignore', 2, 2, 'pipe'],
    cwd: existingFolder(),
    // A hook that kills its process group must not end the front.
    detached: process.platform !== 'win32',
  });
  const pending = new Map<number, Pending>();
  const files = new Map<string, string>();
  let failed = false;
  let ready = false;
  let loaded = false;
  let silentMs = 0;
  let over: ((value: undefined) => void) | undefined;
  const ended = new Promise<undefined>((resolve) => {
    over = resolve;
  });
  // Ticks are counted instead of time, because no tick runs while the machine sleeps.
  const watch = setInterval(() => {
    if (ready) silentMs += BEAT_MS;
  }, BEAT_MS).unref();

  function goneWith(how: string): void {
    clearInterval(watch);
    over?.(undefined);
    over = undefined;
    listener.gone([...pending.values()], how);
    pending.clear();
  }
  child.on('error', (thrown) => goneWith(`cannot be started: ${thrown.message}`));
  child.on('exit', (code, signal) =>
    goneWith(`ended early (${signal ?? `exit code ${code}`}${ready ? '' : '; see its standard error'})`),
  );
  function receive(message: FromWorker): void {
    silentMs = 0;
    if ('ready' in message) ready = true;
    if ('stray' in message) {
      listener.stray(message.stray);
      return;
    }
    if ('files' in message) {
      for (const [file, state] of message.files) files.set(file, state);
      failed ||= message.failed;
      return;
    }
    const one = 'id' in message && pending.get(message.id);
    if (!one) return;
    if ('stage' in message) {
      loaded = true;
      one.stage = message.stage;
    } else {
      pending.delete(one.id);
      if ('answer' in message) one.answer(message.answer);
      if ('failed' in message) one.fail(message.failed);
    }
  }
  // Events that end meanwhile are reported by `exit`.
  const foreign = () => listener.stray('code in the process of the hooks wrote to the internal channel of hookline.');
  // Undefined if the process could not be started.
  const duplex = child.stdio?.[CHANNEL_FD] as Duplex | undefined;
  const send = duplex ? openFrontChannel(duplex, receive, foreign) : () => {};

  return {
    pending,
    files,
    get failed() {
      return failed;
    },
    get loaded() {
      return loaded;
    },
    get silentMs() {
      return silentMs;
    },
    take(one) {
      one.stage = 'queued';
      pending.set(one.id, one);
      send({ id: one.id, event: one.event });
    },
    notify: (event) => send({ event }),
    drop(id) {
      if (pending.delete(id)) send({ cancel: id });
    },
    end(afterMs) {
      send({ end: true });
      const kill = setTimeout(() => child.kill('SIGKILL'), afterMs);
      return ended.finally(() => clearTimeout(kill));
    },
  };
}

/** The current folder may have been deleted. The event contains the folder of its session. */
function existingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return tmpdir();
  }
}
