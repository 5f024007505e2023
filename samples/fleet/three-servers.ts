// Starts NATS and three servers on this machine, which act as one. With --walk, it also does what the guide describes, and ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const NATS_PORT = 4_333;
const home = mkdtempSync(join(tmpdir(), 'hookline-fleet-'));
const env = { ...process.env, HOOKLINE_BACKPLANE_SECRET: randomBytes(32).toString('base64') };
const children: ChildProcess[] = [];
let token: string | undefined;

/** Starts a server of the fleet and returns its URL. */
async function serve(name: string): Promise<string> {
  const words = ['--backplane', `nats://127.0.0.1:${NATS_PORT}`, '--state', join(home, name), '--workspace', home];
  const child = spawn(process.execPath, [join('dist', 'cli', 'main.js'), 'serve', '--port', '0', '--json', ...words], {
    env,
  });
  children.push(child);
  child.stderr.on('data', (text) => {
    token ??= /hlk_[\w-]+/.exec(String(text))?.[0];
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, url } = JSON.parse(line);
    if (event === 'listening') return url;
  }
  throw new Error(`server ${name} did not start`);
}

/** Sends a request to a server. All servers accept the token. */
async function ask(url: string, path: string, body?: object) {
  const response = await fetch(`${url}/api/${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
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
  const nats = spawn('nats-server', ['-js', '-a', '127.0.0.1', '-p', String(NATS_PORT), '-sd', join(home, 'nats')]);
  children.push(nats);
  await once(nats.stderr, 'data');
  const urls = [await serve('a'), await serve('b'), await serve('c')] as const;
  if (process.argv.includes('--walk')) return walk(urls[0], urls[1]);
  for (const url of urls) console.log(`${url}/#token=${token}`);
  await once(process, 'SIGINT');
}

main().finally(() => {
  for (const child of children) child.kill('SIGKILL');
});
