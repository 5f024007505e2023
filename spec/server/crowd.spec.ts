import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { serve } from '@hono/node-server';
import { expect } from 'chai';
import { concat, Subject } from 'rxjs';
import type { SettledEvent } from '../../lib/index.ts';
import { createRuns } from '../../lib/server/runs/create-runs.ts';
import { memoryStore } from '../../lib/store/documents/memory-store.ts';
import { aStream } from './a-stream.ts';
import { appOf } from './runs/a-house.ts';

const HEALTHY = 940;
const STALLED = 60;
const BATCH = 65_536;
/** The maximum duration of one step on a busy machine. */
const PATIENCE_MS = 60_000;
const limits = { journalChunks: 1_048_576, journalGates: 8_388_608, clientLag: 1_000_000, clientsPerUser: 2_000 };

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function memory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Collects the messages of a crowd of clients in another process. */
function crowdOf(child: ChildProcess) {
  let gate = -1;
  const wrong: string[] = [];
  const said = new Set<string>();
  let wake: () => void = () => {};
  child.on('message', (message: Record<string, unknown>) => {
    if (message['gate'] !== undefined) gate = Math.max(gate, Number(message['gate']));
    else if (message['wrong'] !== undefined) wrong.push(String(message['wrong']));
    else said.add(Object.keys(message)[0] as string);
    wake();
  });
  child.on('exit', (code, signal) => {
    wrong.push(`the clients have ended with ${code ?? signal}`);
    wake();
  });
  async function until(what: string, holds: () => boolean): Promise<void> {
    const late = setTimeout(() => {
      wrong.push(`${what} did not come within ${PATIENCE_MS} ms; the last gate was ${gate}`);
      wake();
    }, PATIENCE_MS);
    while (!holds() && wrong.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    clearTimeout(late);
    expect(wrong).to.deep.equal([]);
  }
  return {
    gateSeen: (id: number) => until(`gate ${id}`, () => gate >= id),
    says: (what: string) => until(`"${what}"`, () => said.has(what)),
  };
}

describe('a run with a thousand clients, some of which do not read', () => {
  it('sends all events in order to each reader, and disconnects others with bounded memory', async () => {
    const source = new Subject<SettledEvent>();
    const stream = aStream();
    const runs = createRuns({
      store: memoryStore(),
      limits,
      start: () => concat([stream.gate()], source),
      resume: () => source,
    });
    const { runId } = await runs.start('alice', { prompt: 'hi' });
    const server = serve({ fetch: appOf(runs).fetch, port: 0, hostname: '127.0.0.1' });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
    async function connected(what: string, holds: (count: number) => boolean): Promise<void> {
      const late = performance.now() + PATIENCE_MS;
      for (let count = await connections(); !holds(count); count = await connections()) {
        if (performance.now() > late) throw new Error(`${count} connections are open, and there should be ${what}`);
        await new Promise(setImmediate);
      }
    }
    const args = [String(port), `/api/runs/${runId}/events`, String(HEALTHY), String(STALLED)];
    const child = fork(join(__dirname, 'crowd.child.ts'), args, {
      execArgv: ['-C', 'hookline:source', '-r', 'ts-node/register'],
    });
    const crowd = crowdOf(child);
    let place = 0;
    let seq = 0;
    /** Sends some chunks and a gate event; the readers are never more than one such round behind. */
    async function round(chunks: number, size: number, gateSize = 0): Promise<void> {
      for (let index = 0; index < chunks; index++) source.next(stream.text(`<${place++}>${'x'.repeat(size)}`));
      source.next(stream.gate(gateSize));
      seq += chunks + 1;
      await crowd.gateSeen(seq);
    }
    try {
      await crowd.says('open');
      await crowd.gateSeen(0);
      await connected(`${HEALTHY + STALLED}`, (count) => count >= HEALTHY + STALLED);
      for (let index = 0; index < 15; index++) await round(12, 20);

      child.send({ stay: 5 });
      await crowd.says('left');
      await connected(`${5 + STALLED} at most`, (count) => count <= 5 + STALLED);
      const before = memory();
      for (let index = 0; index < 80; index++) await round(20, 4_000, 2_000);
      const growth = memory() - before;
      // Characters may take two bytes, and a buffer may be twice as large as its content.
      const bound = 4 * (limits.journalChunks + 80 * 2_200) + STALLED * 4 * BATCH + 2 ** 24;
      expect(growth).to.be.lessThan(bound);
      expect(await connections()).to.equal(5 + STALLED);

      for (let index = 0; index < 40; index++) await round(0, 0, 50_000);
      await connected('5 at most', (count) => count <= 5);

      source.next(stream.end());
      source.complete();
      await crowd.says('ended');
    } finally {
      child.kill();
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    }
  });
});
