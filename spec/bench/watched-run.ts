import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { concat, firstValueFrom, from, ignoreElements, of, Subject, take, tap } from 'rxjs';
import { memoryStore } from '../../lib/config/index.ts';
import { createAgent, type Model, type ModelChunk } from '../../lib/index.ts';
import { createRuns } from '../../lib/server/runs/create-runs.ts';
import { appOf } from '../server/runs/a-house.ts';
import type { BenchResult } from './result.ts';

const SCREENS = 100;
const CHUNKS = 20_000;
const ROUNDS = 5;

const chunks: readonly ModelChunk[] = [
  ...Array.from({ length: CHUNKS }, () => ({ type: 'text', delta: 'word ' }) as const),
  { type: 'finish', finishReason: 'stop' },
];

/** How long a run takes from its first chunk to its postCall, with screens that follow it over loopback, and without. */
export async function watchedRunBench(): Promise<BenchResult[]> {
  const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, screens] of [0, SCREENS].entries())
      best[index] = Math.min(best[index] as number, await runWith(screens));
  const [alone = 1, watched = 0] = best;
  return [
    {
      name: `a run of ${CHUNKS} chunks that ${SCREENS} screens follow, until its postCall, against one that nobody watches`,
      unit: 'times the cost',
      value: watched / alone,
      most: 1.3,
    },
  ];
}

async function runWith(screens: number): Promise<number> {
  const go$ = new Subject<void>();
  const model: Model = () => concat(go$.pipe(take(1), ignoreElements()), from(chunks));
  const agent = createAgent({ name: 'a', model });
  const ended$ = new Subject<number>();
  const runs = createRuns({
    start: ({ prompt, user, sessionId }, signal) =>
      agent
        .run(prompt, { userId: user, sessionId, signal })
        .pipe(tap({ complete: () => ended$.next(performance.now()) })),
    resume: () => of(),
    store: memoryStore(),
    limits: { clients: SCREENS, clientsPerUser: SCREENS },
  });
  const server = serve({ fetch: appOf(runs).fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { runId } = await runs.start('alice', { prompt: 'go' });
  for (let screen = 0; screen < screens; screen++) {
    const request = get({ port, path: `/api/runs/${runId}/events`, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
  }
  const ended = firstValueFrom(ended$);
  const began = performance.now();
  go$.next();
  const took = (await ended) - began;
  await runs.drain(5_000);
  server.close();
  return took;
}
