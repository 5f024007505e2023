import { type Backplane, natsBackplane } from '../../lib/nats/backplane.ts';
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

  serverLinkContract(() => ({
    link() {
      const one = natsBackplane({ servers: nats.url, secret: 'a secret of the fleet that is long enough' });
      open.push(one);
      return one.link;
    },
    async interrupt() {
      await nats.kill();
      await nats.start();
    },
  }));
});
