import { setTimeout as sleep } from 'node:timers/promises';
import { tap } from 'rxjs';
import { createInbox } from '../../../lib/hooks/asking/inbox.ts';
import { createAgent, defineTool } from '../../../lib/index.ts';
import { natsBackplane } from '../../../lib/nats/backplane.ts';
import { createRuns, joinFleet } from '../../../lib/server/index.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';
import type { BenchResult } from '../result.ts';

const RUNS = 100;
const STEPS = 5;
const ROUNDS = 3;

/** Processor time of an event of three servers that share a backplane, against one server alone. Each has a hundred runs at a time. */
export async function serversRow(url: string, secret: string): Promise<BenchResult> {
  const one: number[] = [];
  const three: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    one.push(await perEvent(1, { url, secret, app: `one-${round}` }));
    three.push(await perEvent(3, { url, secret, app: `three-${round}` }));
  }
  return {
    name: 'an event of three servers with 100 runs each',
    unit: 'times the processor time of one server',
    value: Math.min(...three) / Math.min(...one),
    most: 1.5,
  };
}

interface Fleet {
  readonly url: string;
  readonly secret: string;
  readonly app: string;
}

/** Microseconds of this process, in which the servers are, for each event. */
async function perEvent(count: number, fleet: Fleet): Promise<number> {
  const servers = Array.from({ length: count }, () => serverOf(fleet));
  // The first run of each creates streams and buckets.
  await Promise.all(servers.map((server) => server.complete(1)));
  const before = process.cpuUsage();
  const events = await Promise.all(servers.map((server) => server.complete(RUNS)));
  const { user, system } = process.cpuUsage(before);
  await Promise.all(servers.map((server) => server.close()));
  return (user + system) / events.reduce((sum, one) => sum + one);
}

function serverOf({ url, secret, app }: Fleet) {
  const backplane = natsBackplane({ servers: url, secret, app });
  const { documents, runs: runStore, state, transcript, link } = backplane;
  const inbox = createInbox();
  const fleet = joinFleet({ link, state, inbox });
  const turn = (at: number) => ({ text: `Step ${at}.`, toolCalls: [{ name: 'look', input: { at } }] });
  const turns = [...Array.from({ length: STEPS }, (_, at) => turn(at)), { text: 'Done.' }];
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    inputSchema: { type: 'object' },
    execute: () => 'found',
  });
  let events = 0;
  const runs = createRuns({
    start: ({ user, prompt, sessionId }, signal) => {
      const agent = createAgent({ name: 'a', model: scriptedModel(turns), tools: [look], transcript });
      return agent.run(prompt, { userId: user, sessionId, signal, hooks: [backplane.turnHook(sessionId)] }).pipe(
        tap(() => {
          events += 1;
        }),
      );
    },
    store: documents,
    runStore,
    transcript,
    inbox,
    ...fleet.options,
    limits: { running: RUNS, runningPerUser: RUNS },
  });
  fleet.serve(runs);
  return {
    /** Runs so many at a time, and returns the number of their events. */
    async complete(count: number): Promise<number> {
      events = 0;
      const started = await Promise.all(Array.from({ length: count }, () => runs.start('ann', { prompt: 'go' })));
      for (const { runId } of started) await ended(runId);
      return events;
    },
    async close(): Promise<void> {
      await runs.drain(0);
      fleet.leave();
      await backplane.close();
    },
  };

  async function ended(runId: string): Promise<void> {
    for (;;) {
      const { state: is, outcome } = await runs.find('ann', runId);
      if (is === 'ended' && outcome === 'completed') return;
      if (is !== 'running') throw new Error(`the run ${runId} is ${is} ${outcome}`);
      await sleep(20);
    }
  }
}
