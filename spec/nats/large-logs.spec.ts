import { expect } from 'chai';
import { filter, firstValueFrom, scan } from 'rxjs';
import { natsBackplane } from '../../lib/nats/index.ts';
import { aNatsServer, type NatsServer } from './a-nats-server.ts';

const MEGABYTES = 80;

describe('a log over NATS with more than NATS lets wait for a client', function () {
  this.timeout(60_000);
  let nats: NatsServer | undefined;
  before(async function () {
    nats = await aNatsServer();
    if (!nats) this.skip();
  });
  after(() => nats?.kill());

  it('is read, followed and taken over', async () => {
    const server = () =>
      natsBackplane({ servers: nats!.url, secret: 'a secret of the fleet that is long enough', app: 'large' });
    const [a, b] = [server(), server()];
    const key = { user: 'ann', runId: 'r' };
    const text = 'x'.repeat(4_000_000);
    for (let nth = 0; nth < MEGABYTES / 4; nth += 1)
      await a.runs.append(key, { entries: [{ nth, text }], head: { nth } });
    const { entries } = await b.runs.read(key);
    expect(entries.map(({ nth }) => nth)).to.deep.equal(Array.from({ length: MEGABYTES / 4 }, (_, nth) => nth));
    const followed = await firstValueFrom(
      b.runs.follow!(key).pipe(
        scan((count, added) => count + added.length, 0),
        filter((count) => count >= MEGABYTES / 4),
      ),
    );
    expect(followed).to.equal(MEGABYTES / 4);
    const taken = await b.runs.takeOver!(key, { nth: MEGABYTES / 4 - 1 }, { nth: -1 });
    expect(taken?.entries).to.have.length(MEGABYTES / 4);
    await Promise.all([a.close(), b.close()]);
  });
});
