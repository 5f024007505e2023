import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { BenchResult } from '../../bench/result.ts';
import { usual } from '../../bench/usual.ts';
import { tempFolder } from '../../temp-folder.ts';
import { connected, serverCommand } from '../mcp/connected.ts';

const root = join(__dirname, '../../..');
const CALLS = 512;
const AT_ONCE = 64;
const WARM = 6;
const ROUNDS = 9;
const PAIR = { server: 'v1', client: 'v1' } as const;

/** Tool calls through `hookline mcp` between a server and a client of the SDK, compared with direct calls, and the cost of its start. */
export async function mcpProxyBench(): Promise<BenchResult[]> {
  const main = join(root, 'dist/cli/main.js');
  if (!existsSync(main)) throw new Error('The proxy is measured as it is built. Run: npm run build');
  const server = serverCommand(PAIR.server);
  const proxy = [process.execPath, main, 'mcp', '--preset', 'none', '--', ...server];
  const usualProxy = [process.execPath, main, 'mcp', '--', ...server];
  const [straight, through, audited] = [await client(server), await client(proxy), await client(usualProxy)];
  const rounds: Record<'direct' | 'proxied' | 'audited' | 'directAtOnce' | 'proxiedAtOnce', number>[] = [];
  for (let round = -WARM; round < ROUNDS; round++) {
    const times = {
      direct: await calls(straight, 1),
      proxied: await calls(through, 1),
      audited: await calls(audited, 1),
      directAtOnce: await calls(straight, AT_ONCE),
      proxiedAtOnce: await calls(through, AT_ONCE),
    };
    if (round >= 0) rounds.push(times);
  }
  for (const one of [straight, through, audited]) await one.close();
  const guarded = [process.execPath, main, 'mcp', '--preset', 'safe', '--', ...server];
  const starts: Record<'node' | 'peers' | 'direct' | 'proxied' | 'guarded', number>[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const times = {
      node: run('0'),
      peers: run(`require('rxjs'); require('zod')`),
      direct: await startOf(server),
      proxied: await startOf(proxy),
      guarded: await startOf(guarded),
    };
    if (round >= 0) starts.push(times);
  }
  const peers = usual(starts, (t) => t.peers / t.node);
  return [
    {
      name: 'a tools/call through hookline mcp over stdio, between a server and a client of the SDK, against the same without it',
      unit: 'times the cost',
      value: usual(rounds, (t) => t.proxied / t.direct),
      most: 2.5,
    },
    {
      name: 'the same with the hooks that are always on: audit-log and dangerous-confirmation',
      unit: 'times the cost',
      value: usual(rounds, (t) => t.audited / t.direct),
    },
    {
      name: '64 of them at once, without those',
      unit: 'times the throughput',
      value: usual(rounds, (t) => t.directAtOnce / t.proxiedAtOnce),
      least: 0.6,
    },
    {
      name: 'start of hookline mcp until it answers, above the server’s own, over node -e 0',
      unit: 'x',
      value: usual(starts, (t) => (t.proxied - t.direct) / t.node),
      most: 3,
    },
    {
      name: 'the same with --preset safe',
      unit: 'x',
      value: usual(starts, (t) => (t.guarded - t.direct) / t.node),
      most: 6,
    },
    { name: 'loading rxjs and zod alone, over node -e 0', unit: 'x', value: peers },
  ];
}

async function client(command: readonly string[]): Promise<Client> {
  const env = { XDG_STATE_HOME: tempFolder('bench-mcp') };
  return (await connected(PAIR, command, { env })).client as Client;
}

/** Nanoseconds per call at this concurrency. */
async function calls(one: Client, atOnce: number): Promise<number> {
  const began = process.hrtime.bigint();
  let left = CALLS;
  const work = async (): Promise<void> => {
    while (left-- > 0) await one.callTool({ name: 'look', arguments: {} });
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return Number(process.hrtime.bigint() - began) / CALLS;
}

/** Milliseconds until the first answer of a server. */
async function startOf(command: readonly string[]): Promise<number> {
  const began = performance.now();
  const one = await client(command);
  const took = performance.now() - began;
  await one.close();
  return took;
}

function run(script: string): number {
  const began = performance.now();
  spawnSync(process.execPath, ['-e', script], { cwd: root });
  return performance.now() - began;
}
