import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type Backplane, natsBackplane } from '../../lib/nats/backplane.ts';
import type { RunStore } from '../../lib/server/index.ts';
import { tempFolder } from '../temp-folder.ts';
import { aNatsServer, type NatsServer } from './a-nats-server.ts';

const secret = 'a secret of the fleet that is long enough';
const run = (runId: string) => ({ user: 'ann', runId });

describe('events of runs while NATS is away', function () {
  this.timeout(60_000);
  let server: NatsServer;
  const open: Backplane[] = [];
  const host = (spill?: string): Backplane => {
    const one = natsBackplane({ servers: server.url, secret, timeoutMs: 300 }, { ...(spill && { spill }) });
    open.push(one);
    return one;
  };

  before(async function () {
    const started = await aNatsServer();
    if (!started) this.skip();
    server = started;
  });
  afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));
  after(() => server?.kill());

  async function entries(runs: RunStore, runId: string, count: number): Promise<unknown[]> {
    for (;;) {
      const found = await runs.read(run(runId)).catch(() => ({ entries: [] }));
      if (found.entries.length >= count) return [...found.entries];
      await sleep(100);
    }
  }

  it('are sent in their order once it is back, each once', async () => {
    const { runs } = host(tempFolder('spill'));
    await runs.append(run('a'), { entries: [{ n: 0 }], head: { n: 0 } });
    await server.kill();
    await runs.append(run('a'), { entries: [{ n: 1 }], head: { n: 1 } });
    await runs.append(run('a'), { entries: [{ n: 2 }] });
    await runs.append(run('b'), { entries: [{ n: 0 }], head: { n: 0 } });
    await server.start();
    const reader = host().runs;
    expect(await entries(reader, 'a', 3)).to.deep.equal([{ n: 0 }, { n: 1 }, { n: 2 }]);
    expect(await entries(reader, 'b', 1)).to.deep.equal([{ n: 0 }]);
    await runs.append(run('a'), { entries: [{ n: 3 }], head: { n: 3 } });
    expect(await entries(reader, 'a', 4)).to.deep.equal([{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]);
    expect(await reader.find(run('a'))).to.deep.equal({ n: 3 });
  });

  it('are sent after a restart of the process', async () => {
    const spill = tempFolder('spill');
    const before = host(spill);
    await before.runs.append(run('c'), { entries: [{ n: 0 }], head: { n: 0 } });
    await server.kill();
    await before.runs.append(run('c'), { entries: [{ n: 1 }], head: { n: 1 } });
    await before.close();
    host(spill);
    await server.start();
    expect(await entries(host().runs, 'c', 2)).to.deep.equal([{ n: 0 }, { n: 1 }]);
  });

  it('stay within their bound, and none is removed unsent', async () => {
    const full = { spill: tempFolder('spill'), spillBytes: 3_000 };
    const own = natsBackplane({ servers: server.url, secret, timeoutMs: 300 }, full);
    open.push(own);
    await server.kill();
    const text = 'x'.repeat(1_000);
    await own.runs.append(run('f'), { entries: [{ n: 0, text }] });
    await own.runs.append(run('g'), { entries: [{ n: 1, text }] });
    const refused = await own.runs.append(run('g'), { entries: [{ n: 2, text }] }).catch((error) => error);
    expect(refused).to.have.property('code', 'STORE_FAILED');
    expect(refused.message).to.match(/for events that wait for NATS is full: it has \d+ of 3000 bytes/);
    await server.start();
    const reader = host().runs;
    expect(await entries(reader, 'f', 1)).to.deep.equal([{ n: 0, text }]);
    expect(await entries(reader, 'g', 1)).to.deep.equal([{ n: 1, text }]);
    // There is room again.
    await own.runs.append(run('g'), { entries: [{ n: 3, text }] });
    expect(await entries(reader, 'g', 2)).to.deep.equal([
      { n: 1, text },
      { n: 3, text },
    ]);
  });

  it('fill the folder by what is in it: a replaced head counts once', async () => {
    const own = natsBackplane(
      { servers: server.url, secret, timeoutMs: 300 },
      { spill: tempFolder('spill'), spillBytes: 30_000 },
    );
    open.push(own);
    await server.kill();
    for (let n = 0; n < 50; n += 1)
      await own.runs.append(run('h'), { entries: [{ n }], head: { text: 'x'.repeat(1_000) } });
    await server.start();
    expect(await entries(host().runs, 'h', 50)).to.have.lengthOf(50);
  });

  it('never delay a run by more than a request', async () => {
    const { runs } = host(tempFolder('spill'));
    await runs.append(run('d'), { entries: [{ n: 0 }] });
    await server.kill();
    await runs.append(run('d'), { entries: [{ n: 1 }] });
    const start = performance.now();
    for (let n = 2; n < 50; n += 1) await runs.append(run('d'), { entries: [{ n }] });
    const ofOne = performance.now() - start;
    await server.start();
    expect(await entries(host().runs, 'd', 50)).to.have.lengthOf(50);
    // Only the first addition waits for the timeout.
    expect(ofOne).to.be.below(48 * 300);
  });
});
