import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { firstValueFrom } from 'rxjs';
import { createCounter } from '../../../lib/hooks/rate-limit/counter.ts';
import { limitSchema } from '../../../lib/hooks/rate-limit/rate-limit-options.ts';
import { leasedUnits, storedUnits, type Units } from '../../../lib/hooks/rate-limit/units.ts';
import { natsBackplane } from '../../../lib/nats/backplane.ts';
import { fileRunStore, type RunStore } from '../../../lib/server/index.ts';
import { aNatsServer } from '../../nats/a-nats-server.ts';
import type { BenchResult } from '../result.ts';
import { serversRow } from './servers-row.ts';

const secret = 'a secret of the fleet that is long enough';
const ADDITIONS = 400;
const ROUNDS = 5;

/** A server on a backplane against one on its own, on loopback. */
export async function fleetBench(): Promise<BenchResult[]> {
  const nats = await aNatsServer();
  if (!nats) return [];
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  const backplane = natsBackplane({ servers: nats.url, secret });
  try {
    const stored = await least(() => record(backplane.runs));
    const filed = await least(() => record(fileRunStore(folder)));
    return [
      {
        name: 'an event stored through NATS',
        unit: 'times the processor time of files',
        value: stored / filed,
        most: 2,
      },
      await answerRow(nats.url),
      await limiterRow(nats.url),
      await serversRow(nats.url, secret),
    ];
  } finally {
    await backplane.close();
    await nats.kill();
    rmSync(folder, { recursive: true });
  }
}

/** Processor time of additions of ten events, as the recorder writes them. */
async function record(runs: RunStore): Promise<number> {
  const key = { user: 'ann', runId: `run-${Math.random()}` };
  const event = {
    type: 'reasoningChunk',
    seq: 1,
    run: { runId: key.runId },
    delta: 'The hook sees the call. '.repeat(8),
  };
  const entries = Array.from({ length: 10 }, (_, seq) => ({ event: { ...event, seq } }));
  const before = process.cpuUsage();
  for (let nth = 0; nth < ADDITIONS; nth += 1) await runs.append(key, { entries });
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** An answer to a call of another server, against a bare request and reply. */
async function answerRow(url: string): Promise<BenchResult> {
  const [a, b] = [natsBackplane({ servers: url, secret }), natsBackplane({ servers: url, secret })];
  const [asking, replying] = [await connect({ servers: url }), await connect({ servers: url })];
  replying.subscribe('bench', { callback: (_, message) => void message.respond(message.data) });
  await replying.flush();
  await a.link.serve('call.1', async () => ({ status: 'accepted' }));
  const answered = await median(() => b.link.ask('call.1', { action: 'approve', by: 'ann', hash: 'h' }));
  const bare = await median(() => asking.request('bench', '{"action":"approve"}'));
  await Promise.all([a.close(), b.close(), asking.close(), replying.close()]);
  return {
    name: 'an answer to a call of another server',
    unit: 'times a request and reply',
    value: answered / bare,
    most: 3,
  };
}

/** A limit with leased batches, against one compare-and-set a call. */
async function limiterRow(url: string): Promise<BenchResult> {
  const backplane = natsBackplane({ servers: url, secret });
  const counter = createCounter(limitSchema.parse({ per: [], max: 1_000_000, windowMs: 3_600_000 }), ['bench']);
  const rate = async (units: Units, name: string, calls: number): Promise<number> => {
    const source = { counter, key: ['bench', name] as const, scheduler: { now: () => Date.now() } as never };
    const began = performance.now();
    for (let call = 0; call < calls; call += 1) await firstValueFrom(units.take(source));
    return calls / (performance.now() - began);
  };
  const leased = await rate(leasedUnits(backplane.state), 'leased', 20_000);
  const single = await rate(storedUnits(backplane.state), 'single', 500);
  await backplane.close();
  return {
    name: 'a limit with leased batches',
    unit: 'times the decisions of one write a call',
    value: leased / single,
    least: 50,
  };
}

async function least(work: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) values.push(await work());
  return Math.min(...values);
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < 1_000; nth += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[500] as number;
}
