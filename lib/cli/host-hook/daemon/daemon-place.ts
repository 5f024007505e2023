import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Variables that differ between calls and that no hook depends on. */
const PASSING = [
  ...['_', 'SHLVL', 'PWD', 'OLDPWD', 'TRACEPARENT', 'TRACESTATE', 'CLAUDE_EFFORT', 'CLAUDE_ENV_FILE'],
  ...['CURSOR_TRANSCRIPT_PATH', 'GEMINI_SESSION_ID', 'GEMINI_CWD', 'GEMINI_PLANS_DIR'],
];

/** Longer paths are not valid socket addresses. The daemon appends its process id. */
const MOST_BYTES = 92;

/**
 * Returns the socket path of the daemon for calls in `folder`. Each installation, Node version, environment, command line and folder has a separate
 * daemon. Throws if another user could own the path.
 */
export function daemonPlace(words: readonly string[], folder: string): string {
  const uid = process.getuid?.();
  if (uid === undefined) throw new Error('this system has no socket owners.');
  const parent = socketFolder();
  makeOwn(parent, uid);
  const env = Object.entries(process.env).filter(([name]) => !PASSING.includes(name));
  const installed = [__filename, statSync(__filename).ctimeMs, process.version, process.execArgv];
  const key = [...installed, env.sort(), words, process.cwd(), folder];
  const hash = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 20);
  const place = join(parent, hash);
  if (Buffer.byteLength(place) > MOST_BYTES)
    throw new Error(`the path ${place} is too long for a socket. Set a shorter XDG_RUNTIME_DIR.`);
  const there = lstatSync(place, { throwIfNoEntry: false });
  if (there && !(there.isSocket() && there.uid === uid))
    throw new Error(`${place} is not a socket that you own. Remove it.`);
  return place;
}

/** Returns the folder of all sockets of this user. */
export function socketFolder(): string {
  const { XDG_RUNTIME_DIR: runtime } = process.env;
  return join(runtime && isAbsolute(runtime) ? runtime : tmpdir(), `hookline-${process.getuid?.() ?? 'user'}`);
}

function makeOwn(folder: string, uid: number): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  }
  const { uid: owner, mode } = lstatSync(folder);
  if (!lstatSync(folder).isDirectory() || owner !== uid || (mode & 0o077) !== 0)
    throw new Error(`${folder} must be an owner-only directory that you own. Remove it, or run: chmod 700.`);
}
