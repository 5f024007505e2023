import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { HostSettings } from './host.ts';

const LIMIT_MS = 20_000;

interface Listed {
  result?: { data?: { hooks: { key: string; currentHash: string }[] }[] };
}

/** The lines of `config.toml` with which Codex counts the hooks of `hooks.json` as reviewed. Its app server names keys and hashes. */
export async function reviewedHooks({ home, work, program: [file = ''] }: HostSettings): Promise<string> {
  const env = { ...process.env, HOME: home, CODEX_HOME: home, FAKE_KEY: 'x' };
  const server = spawn(file, ['app-server'], { cwd: work, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const timer = setTimeout(() => server.kill('SIGKILL'), LIMIT_MS);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const send = (message: object) => server.stdin.write(`${JSON.stringify(message)}\n`);
  try {
    send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'spec', version: '1' } } });
    for await (const line of createInterface(server.stdout)) {
      const message = JSON.parse(line) as Listed & { id?: number };
      if (message.id === 1) {
        send({ method: 'initialized' });
        send({ id: 2, method: 'hooks/list', params: { cwds: [work] } });
      }
      if (message.id === 2) return trusted(message);
    }
    throw new Error('codex app-server ended without an answer to hooks/list');
  } finally {
    clearTimeout(timer);
    server.kill();
    await ended;
  }
}

function trusted({ result }: Listed): string {
  const hooks = (result?.data ?? []).flatMap((folder) => folder.hooks);
  if (hooks.length === 0) throw new Error('codex app-server lists no hooks');
  return hooks
    .map(({ key, currentHash }) => `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`)
    .join('\n');
}
