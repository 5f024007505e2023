import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { DialectName } from '../dialects/dialect-names.ts';
import type { InstalledHook } from '../install/host-writer.ts';

/** How an installed hook answered a call. */
export interface HookAnswer {
  /** True if the host does not run the call. */
  readonly denied: boolean;
  /** Why the host could not read the answer, or why nothing was evaluated. */
  readonly broken?: string;
  readonly ms: number;
}

const MOST_MS = 60_000;

/** Runs the command of an installed hook as its host does. */
export async function runInstalled(
  host: DialectName,
  { command }: InstalledHook,
  event: JsonObject,
  cwd: string,
): Promise<HookAnswer> {
  const began = performance.now();
  const [program = '', ...rest] = typeof command === 'string' ? [command] : command;
  const shell = typeof command !== 'string' ? false : process.platform === 'win32' ? 'powershell.exe' : true;
  const child = spawn(program, rest, { shell, cwd, stdio: 'pipe', timeout: MOST_MS, killSignal: 'SIGKILL' });
  child.stdin.on('error', () => {}).end(JSON.stringify(event));
  const ended = new Promise<number | string>((resolve) => {
    child.once('error', ({ message }) => resolve(`it does not start: ${message}`));
    child.once('close', (code, signal) => resolve(code ?? `it was ended by ${signal}`));
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const ms = Math.round(performance.now() - began);
  return { ...read(host, code, stdout, stderr), ms };
}

function read(host: DialectName, code: number | string, stdout: string, stderr: string): Omit<HookAnswer, 'ms'> {
  if (typeof code === 'string') return { denied: false, broken: code };
  const [why = ''] = stderr.trim().split('\n');
  const said = `exit code ${code}${why === '' ? ', no text' : `: ${why}`}`;
  if (/did not start|could not evaluate|Cannot find module/.test(stderr)) return { denied: code === 2, broken: said };
  if (code !== 0 && code !== 2) return { denied: false, broken: said };
  let answer: JsonObject;
  try {
    answer = stdout.trim() === '' ? {} : JSON.parse(stdout);
  } catch {
    return { denied: code === 2, broken: `its answer is not JSON: ${stdout.trim().slice(0, 100)}` };
  }
  if (host === 'cursor') {
    if (answer['permission'] === undefined)
      return { denied: code === 2, broken: `its answer has no permission (${said})` };
    return { denied: answer['permission'] === 'deny' };
  }
  if (host === 'opencode') return { denied: answer['refused'] !== undefined };
  return { denied: code === 2 && why !== '' };
}
