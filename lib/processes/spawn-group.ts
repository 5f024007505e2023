import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalGroup } from './signal-group.ts';

/** How a process ended: with an exit code, by a signal, or it never started. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly failure?: Error;
}

/** A program with all its child processes. */
export interface ProcessGroup {
  readonly input: Writable | undefined;
  /** Standard output and standard error. */
  readonly outputs: readonly Readable[];
  /** Sets whether the program keeps the host alive (default: true). */
  hold(on: boolean): void;
  /** How the program ended. Its remaining children are being stopped then. */
  readonly exited: Promise<Exit>;
  /** Resolves when the shell has ended and no process of the group is left. */
  readonly gone: Promise<void>;
  /** Sends SIGTERM to the whole group, and SIGKILL after `graceMs` (default: 2,000). Resolves like `gone`. */
  stop(graceMs?: number): Promise<void>;
}

const GRACE_MS = 2_000;
const leaveMs = 200;
const alive = new Set<number>();

/** Working directory and input of a program. */
export type GroupOptions = Pick<SpawnOptions, 'cwd' | 'env'> & { readonly input?: boolean };

/** Runs a line of `/bin/sh`, or a program with arguments, as a separate process group. An orderly exit of the host also ends the group. */
export function spawnGroup(command: string | readonly string[], { input, ...options }: GroupOptions): ProcessGroup {
  const [program = '', ...args] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  const stdin = input ? 'pipe' : 'ignore';
  let child: ChildProcess;
  try {
    child = spawn(program, args, { ...options, detached: true, stdio: [stdin, 'pipe', 'pipe'] });
  } catch (failure) {
    // Some start errors are emitted (ENOENT), and others are thrown (ENOTDIR, E2BIG).
    return neverBegun(failure as Error);
  }
  const { pid } = child;
  if (pid !== undefined) remember(pid);
  const exited = new Promise<Exit>((resolve) => {
    child.once('error', (failure) => resolve({ code: null, signal: null, failure }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  let stopping: Promise<void> | undefined;
  const stop = (graceMs?: number) => {
    stopping ??= pid === undefined ? Promise.resolve() : end(pid, graceMs);
    return stopping.then(() => gone);
  };
  // Background processes of the shell get a short time to finish, then they are stopped.
  const gone = exited.then(async () => {
    if (pid === undefined) return;
    if (!stopping) await vanished(pid, leaveMs);
    stopping ??= end(pid);
    await stopping;
    forget(pid);
  });
  // Undefined if no file descriptors were left.
  const outputs = [child.stdout, child.stderr].filter((output) => output !== null);
  const hold = (on: boolean) => {
    const pipes = [child.stdin, ...outputs] as (Socket | null)[];
    for (const handle of [child, ...pipes]) on ? handle?.ref?.() : handle?.unref?.();
  };
  return { input: child.stdin ?? undefined, outputs, hold, exited, gone, stop };
}

function neverBegun(failure: Error): ProcessGroup {
  const gone = Promise.resolve();
  const exited = Promise.resolve({ code: null, signal: null, failure });
  return { input: undefined, outputs: [], hold: () => {}, exited, gone, stop: () => gone };
}

async function end(group: number, graceMs = GRACE_MS): Promise<void> {
  signalGroup(group, 'SIGTERM');
  if (await vanished(group, graceMs)) return;
  signalGroup(group, 'SIGKILL');
  await vanished(group, GRACE_MS);
}

async function vanished(group: number, withinMs: number): Promise<boolean> {
  const until = Date.now() + withinMs;
  for (let pause = 10; await groupLives(group); pause = Math.min(2 * pause, 100)) {
    if (Date.now() >= until) return false;
    await sleep(pause);
  }
  return true;
}

function remember(group: number): void {
  if (alive.size === 0) process.on('exit', killAll);
  alive.add(group);
}

function forget(group: number): void {
  alive.delete(group);
  if (alive.size === 0) process.off('exit', killAll);
}

function killAll(): void {
  for (const group of alive) signalGroup(group, 'SIGKILL');
}

/** Returns whether a process of the group still runs. A zombie does not count, if the system can detect it. */
export async function groupLives(group: number): Promise<boolean> {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  // Process 1 reaps an orphan. In containers this may be slow or never happen.
  const entries = await readdir('/proc').catch(() => undefined);
  if (!entries) return true;
  for (const entry of entries) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'latin1').catch(() => '');
    // "id (name) state parent group ...", and the name may contain any character.
    const [state, , groupOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(groupOf) === group && state !== 'Z' && state !== 'X') return true;
  }
  return false;
}
