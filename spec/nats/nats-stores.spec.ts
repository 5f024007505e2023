import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { lastValueFrom, take } from 'rxjs';
import { z } from 'zod';
import { rateLimit } from '../../lib/hooks/index.ts';
import { createPipeline, defineTool } from '../../lib/index.ts';
import { type Backplane, type BackplaneParts, natsBackplane } from '../../lib/nats/backplane.ts';
import { runStoreContract } from '../../lib/server/run-store/run-store-contract.ts';
import { storeContract } from '../../lib/store/documents/store-contract.ts';
import { stateStoreContract } from '../../lib/store/state/state-store-contract.ts';
import { aNatsServer, type NatsServer } from './a-nats-server.ts';

const work = defineTool({ name: 'work', description: 'Works.', inputSchema: z.object({}), execute: () => 'worked' });

const secret = 'a secret of the fleet that is long enough';

describe('a NATS backplane', () => {
  let server: NatsServer;
  const open: Backplane[] = [];
  const host = (more: object = {}, parts: BackplaneParts = {}): Backplane => {
    const backplane = natsBackplane({ servers: server.url, secret, ...more }, parts);
    open.push(backplane);
    return backplane;
  };

  before(async function () {
    const started = await aNatsServer();
    if (!started) this.skip();
    server = started;
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
  });
  after(() => server?.kill());

  it('keeps the contract of document stores', async () => {
    await storeContract(() => host().documents);
  });

  it('keeps the contract of state stores', async () => {
    let time = 1e12;
    await stateStoreContract(() => host({}, { now: () => time }).state, {
      elapse: (ms) => {
        time += ms;
      },
    });
  });

  it('keeps the contract of run stores', async () => {
    await runStoreContract(() => host().runs);
  });

  it('counts a limit of all servers, and never exceeds it', async () => {
    const limits = [{ max: 1_000, per: [] as [] }];
    const runs = Array.from({ length: 4 }, () => {
      const pipeline = createPipeline([rateLimit({ limits }, { store: host({ timeoutMs: 30_000 }).state })]);
      return pipeline.start({ agent: 'a' });
    });
    const calls = Array.from({ length: 1_600 }, (_, nth) => {
      const call = { id: `c${nth}`, name: 'work', input: {} };
      return lastValueFrom(runs[nth % 4]!.act(call, [work]));
    });
    const posts = await Promise.all(calls);
    const texts = posts.map((post) => (post.type === 'postActing' ? post.result.content : post.type));
    const granted = texts.filter((text) => text === 'worked');
    expect(granted.length, [...new Set(texts)].join('\n')).to.be.within(950, 1_000);
  });

  it('joins a fleet whose first server has other limits', async () => {
    await host().runs.append({ user: 'a', runId: 'r' }, { entries: [{ n: 1 }], head: { n: 1 } });
    const other = host({ keepMs: 3_600_000, keepBytes: 50_000_000 });
    expect((await other.runs.read({ user: 'a', runId: 'r' })).entries).to.deep.equal([{ n: 1 }]);
    expect(await other.runs.find({ user: 'a', runId: 'r' })).to.deep.equal({ n: 1 });
  });

  it('keeps documents when the server is killed', async () => {
    const { documents } = host();
    await documents.write(['a'], { n: 1 });
    await server.kill();
    const thrown = await documents.read(['a']).catch((error) => error);
    expect(thrown).to.have.property('code', 'STORE_FAILED');
    expect(thrown.message).to.match(/^NATS at nats:\/\/127.0.0.1:\d+: cannot read in HOOKLINE_hookline_documents: /);
    await server.start();
    expect((await eventually(() => documents.read(['a'])))?.value).to.deep.equal({ n: 1 });
  });

  it('answers from the last known tokens and configurations while the server is away, and no longer afterwards', async () => {
    const { documents } = host({ timeoutMs: 300 });
    await documents.write(['tokens', 'x'], { n: 1 });
    expect(await documents.read(['configs', 'user', 'ann'])).to.equal(undefined);
    await documents.write(['runs', 'ann', 'r'], { n: 1 });
    await server.kill();
    expect((await documents.read(['tokens', 'x']))?.value).to.deep.equal({ n: 1 });
    expect(await documents.read(['configs', 'user', 'ann'])).to.equal(undefined);
    for (const key of [
      ['tokens', 'y'],
      ['runs', 'ann', 'r'],
    ] as [string, ...string[]][])
      expect(await documents.read(key).catch((error) => error)).to.have.property('code', 'STORE_FAILED');
    await server.start();
    const other = host().documents;
    await eventually(() => other.remove(['tokens', 'x']));
    await eventually(() => documents.list(['tokens']));
    expect(await documents.read(['tokens', 'x'])).to.equal(undefined);
  });

  it('rejects a token that another server has revoked right before the server goes away', async () => {
    const [a, b] = [host({ timeoutMs: 300 }).documents, host({ timeoutMs: 300 }).documents];
    await a.write(['tokens', 'revoked'], { n: 1 });
    expect((await b.read(['tokens', 'revoked']))?.value).to.deep.equal({ n: 1 });
    // As a command that ends right after it.
    const command = natsBackplane({ servers: server.url, secret });
    await command.documents.remove(['tokens', 'revoked']);
    await command.close();
    await sleep(1_000);
    await server.kill();
    expect(await b.read(['tokens', 'revoked'])).to.equal(undefined);
    await server.start();
    await eventually(() => b.list(['tokens']));
  });

  it('fails at once after it has been away for the timeout', async () => {
    const { documents } = host({ timeoutMs: 2_000 });
    await documents.read(['a']);
    await server.kill();
    await documents.read(['a']).catch(() => {});
    const start = performance.now();
    for (let n = 0; n < 10; n += 1) await documents.read(['a']).catch(() => {});
    expect(performance.now() - start).to.be.below(9 * 2_000);
    await server.start();
    await eventually(() => documents.read(['a']));
  });

  it('leaves no consumers of logs that nobody reads any more', async () => {
    const { runs } = host();
    const key = { user: 'ann', runId: 'read-often' };
    await runs.append(key, { entries: [{ n: 1 }] });
    for (let n = 0; n < 5; n += 1) await runs.read(key);
    await new Promise<void>((resolve) => runs.follow!(key).pipe(take(1)).subscribe({ complete: resolve }));
    const nats = await connect({ servers: server.url });
    const manager = await jetstreamManager(nats);
    await eventually(async () => {
      const { state } = await manager.streams.info('HOOKLINE_hookline_events');
      if (state.consumer_count > 0) throw new Error(`${state.consumer_count} consumers`);
    });
    await nats.close();
  });
});

async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 100; ; tries -= 1) {
    try {
      return await work();
    } catch (thrown) {
      if (tries === 0) throw thrown;
      await sleep(50);
    }
  }
}
