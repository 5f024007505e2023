import { type Backplane, natsBackplane } from '../../lib/nats/backplane.ts';
import { fleetInboxContract } from '../server/fleet/fleet-inbox-contract.ts';
import { INTERRUPTIONS } from '../server/fleet/server-link-contract.ts';
import { aNatsServer, type NatsServer } from './a-nats-server.ts';

describe('the inbox of a fleet over NATS, which is killed and restarted', function () {
  this.timeout(120_000 + INTERRUPTIONS * 5_000);
  let nats: NatsServer;
  const open: Backplane[] = [];

  before(async function () {
    const started = await aNatsServer();
    if (!started) this.skip();
    nats = started;
  });
  beforeEach(() => nats.start());
  afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));
  after(() => nats?.kill());

  let fleets = 0;
  fleetInboxContract(() => {
    const app = `fleet${++fleets}`;
    return {
      server() {
        const secret = 'a secret of the fleet that is long enough';
        const one = natsBackplane({ servers: nats.url, secret, app, timeoutMs: 400 });
        open.push(one);
        return { link: one.link, state: one.state, die: one.close };
      },
      cut: () => nats.kill(),
      mend: () => nats.start(),
    };
  });
});
