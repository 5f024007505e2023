// Starts NATS and three servers on this machine, which act as one. With --walk, it also does what the guide describes, and ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HOOKLINE = join('dist', 'cli', 'main.js');
const home = mkdtempSync(join(tmpdir(), 'hookline-fleet-'));
const env = { ...process.env, HOOKLINE_BACKPLANE_SECRET: randomBytes(32).toString('base64') };
const children: ChildProcess[] = [];
let token: string | undefined;

/** Starts a program, and returns the part of its output that the pattern captures. */
function start(program: string, words: readonly string[], pattern: RegExp): Promise<string> {
  const child = spawn(program, words, { env });
  children.push(child);
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (piece: Buffer) => {
      text += piece;
      token ??= /hlk_[\w-]+/.exec(text)?.[0];
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', ({ message }) => reject(new Error(`${program} does not start (${message}). Is it installed?`)));
    child.once('exit', (code) => reject(new Error(`${program} ended with code ${code}: ${text}`)));
  });
}

/** Starts a server of the fleet and returns its URL. */
function serve(name: string, nats: string): Promise<string> {
  const words = ['--backplane', nats, '--state', join(home, name), '--workspace', home];
  const all = [HOOKLINE, 'serve', '--port', '0', '--json', ...words];
  return start(process.execPath, all, /"event":"listening","url":"([^"]+)"/);
}

/** Sends a request to a server. All servers accept the token. */
async function ask(url: string, path: string, body?: object) {
  const response = await fetch(`${url}/api/${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok && response.status !== 404) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<Record<string, string> & { approvals: Record<string, string>[] }>;
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(100);
  }
}

async function walk(a: string, b: string): Promise<void> {
  writeFileSync(join(home, 'notes.txt'), 'old notes');
  await ask(a, 'runs', { prompt: 'delete notes.txt' });
  const [approval] = await until(async () => {
    const { approvals } = await ask(b, 'approvals');
    return approvals.length > 0 ? approvals : undefined;
  });
  console.log(`A runs the agent, and B shows its pending call: ${approval?.['tool']}`);
  children.at(-1)?.kill('SIGKILL');
  const { resumedBy } = await ask(b, `approvals/${approval?.['id']}`, { action: 'approve', hash: approval?.['hash'] });
  const ended = await until(async () => {
    const view = await ask(a, `runs/${resumedBy}`);
    return view['state'] === 'ended' ? view : undefined;
  });
  console.log(`C was killed, B took the answer, and A shows the end of the run: ${ended['outcome']}`);
  console.log(`notes.txt exists: ${existsSync(join(home, 'notes.txt'))}`);
}

async function main(): Promise<void> {
  if (!existsSync(HOOKLINE)) throw new Error('There is no build. Run: npm run build');
  // It picks a free port.
  const words = ['-js', '-a', '127.0.0.1', '-p', '-1', '-sd', join(home, 'nats')];
  const address = await start('nats-server', words, /client connections on (\S+)\s.*Server is ready/s);
  const nats = `nats://${address}`;
  const [a, b, c] = [await serve('a', nats), await serve('b', nats), await serve('c', nats)];
  if (!process.argv.includes('--walk')) return console.log([a, b, c].map((url) => `${url}/#token=${token}`).join('\n'));
  await walk(a, b);
  process.exit();
}

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
main().catch(({ message }) => {
  console.error(message);
  process.exit(1);
});
