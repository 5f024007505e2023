import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { natsBackplane } from '../../../lib/nats/backplane.ts';

describe('a backplane that is closed before it could connect', () => {
  it('stops dialing, also for what waits for the connection', async () => {
    let dialed = 0;
    const refusing = createServer((socket) => {
      dialed += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    const rejected: unknown[] = [];
    const keep = (thrown: unknown) => rejected.push(thrown);
    process.on('unhandledRejection', keep);
    try {
      const { port } = refusing.address() as AddressInfo;
      const secret = 'a secret of the fleet that is long enough';
      const backplane = natsBackplane({ servers: `nats://127.0.0.1:${port}`, secret, timeoutMs: 300 });
      const served = backplane.link.serve('call.1', async () => ({})).catch((error) => error);
      const thrown = await backplane.documents.read(['x']).catch((error) => error);
      expect(thrown).to.include({ code: 'STORE_FAILED' });
      await backplane.close();
      expect(await served).to.include({ code: 'STORE_FAILED' });
      await sleep(600);
      const before = dialed;
      await sleep(1_200);
      expect([before > 0, dialed - before]).to.deep.equal([true, 0]);
      expect(rejected).to.be.empty;
    } finally {
      process.off('unhandledRejection', keep);
      refusing.close();
    }
  });
});
