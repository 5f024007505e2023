import { expect } from 'chai';
import { pino } from 'pino';
import { type Backplane, type BackplaneParts, natsBackplane } from '../../lib/nats/backplane.ts';
import { INTERRUPTIONS, serverLinkContract } from '../server/fleet/server-link-contract.ts';
import { aNatsServer, type NatsServer } from './a-nats-server.ts';

describe('a link of servers over NATS, which is killed and restarted', function () {
  this.timeout(60_000 + INTERRUPTIONS * 5_000);
  let nats: NatsServer;
  const open: Backplane[] = [];

  before(async function () {
    const started = await aNatsServer();
    if (!started) this.skip();
    nats = started;
  });
  afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));
  after(() => nats?.kill());

  const link = (parts: BackplaneParts = {}, timeoutMs = 2_000) => {
    const secret = 'a secret of the fleet that is long enough';
    const one = natsBackplane({ servers: nats.url, secret, timeoutMs }, parts);
    open.push(one);
    return one.link;
  };

  serverLinkContract(() => ({
    link,
    async interrupt() {
      await nats.kill();
      await nats.start();
    },
  }));

  it('fails at once if a message is larger than servers exchange, and names its size, the limit and the fix', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (text) => void lines.push(text) });
    const [a, b] = [link({ log }), link({ log }, 50_000)];
    const text = 'x'.repeat(33 * 1024 * 1024);
    const stop = await a.serve('large', async ({ reply }) => ({ text: reply ? text : '' }));
    const begin = performance.now();
    for (const request of [{ text }, { reply: true }]) {
      const thrown = await b.ask('large', request).catch((error: unknown) => error);
      expect(thrown).to.have.property('code', 'STORE_FAILED');
      expect((thrown as Error).message).to.match(/34603\d{3} bytes.* 33554432.*smaller/);
    }
    expect(performance.now() - begin, 'the timeout of a request is 50 s').to.be.below(49_000);
    a.tell('large', { text });
    expect(lines.map((line) => JSON.parse(line).err.message)).to.have.lengthOf(2);
    for (const line of lines) expect(line).to.match(/34603\d{3} bytes/);
    stop();
  });

  it('fails at once if the answer fails, and says why', async () => {
    const [a, b] = [link(), link()];
    const stop = await a.serve('failing', async () => Promise.reject(new Error('the disk is full')));
    const thrown = await b.ask('failing', {}).catch((error: unknown) => error);
    expect(thrown).to.have.property('code', 'STORE_FAILED');
    expect((thrown as Error).message).to.include('the disk is full');
    stop();
  });
});
