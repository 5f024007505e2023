import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type Backplane, natsBackplane } from '../../lib/nats/backplane.ts';
import { tempFolder } from '../temp-folder.ts';
import { aNatsServer, type NatsServer } from './a-nats-server.ts';

const secret = 'a secret of the fleet that is long enough';
const key = { user: 'ann', runId: 'r' };

/** The permissions that the guide gives. */
const CONFIG = `
authorization {
  users = [
    { user: server, password: "for servers", permissions: {
        publish: ["hookline.v1.hookline.>", "$KV.HOOKLINE_hookline_documents.>", "$KV.HOOKLINE_hookline_state.>", "$KV.HOOKLINE_hookline_runs.>", "$JS.API.>", "_INBOX.>"]
        subscribe: ["hookline.v1.hookline.>", "_INBOX.>"] } }
    { user: screen, password: "for screens", permissions: {
        publish: ["hookline.v1.hookline.ask.>", "$JS.API.INFO", "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.MSG.GET.*",
                  "$JS.API.DIRECT.GET.>", "$JS.API.CONSUMER.>"]
        subscribe: ["hookline.v1.hookline.tell.>", "_INBOX.>"] } }
  ]
}
`;

describe('the permissions of a NATS account', () => {
  let nats: NatsServer;
  const open: Backplane[] = [];
  const as = (user: string, password: string): Backplane => {
    const one = natsBackplane({ servers: nats.url, secret, user, password, timeoutMs: 500 });
    open.push(one);
    return one;
  };

  before(async function () {
    const file = join(tempFolder('nats-config'), 'nats.conf');
    writeFileSync(file, CONFIG);
    const started = await aNatsServer('-c', file);
    if (!started) this.skip();
    nats = started;
  });
  afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));
  after(() => nats?.kill());

  it('let a node that only shows runs read them and answer, but not write', async () => {
    const server = as('server', 'for servers');
    await server.runs.append(key, { entries: [{ n: 1 }], head: { n: 1 } });
    await server.documents.write(['tokens'], { n: 1 });
    const stop = await server.link.serve('call.1', async ({ action }) => ({ took: action ?? null }));
    const screen = as('screen', 'for screens');
    expect(await screen.runs.list()).to.deep.equal([{ ...key, head: { n: 1 } }]);
    expect((await screen.runs.read(key)).entries).to.deep.equal([{ n: 1 }]);
    expect((await screen.documents.read(['tokens']))?.value).to.deep.equal({ n: 1 });
    expect(await screen.link.ask('call.1', { action: 'approve' })).to.deep.equal({ took: 'approve' });
    stop();
    for (const write of [
      screen.runs.append({ ...key, runId: 'forged' }, { entries: [{ n: 2 }] }),
      screen.documents.write(['tokens'], { n: 2 }),
      screen.documents.remove(['tokens']),
    ])
      expect(await write.catch((error) => error)).to.have.property('code', 'STORE_FAILED');
    expect((await server.documents.read(['tokens']))?.value).to.deep.equal({ n: 1 });
  });

  it('refuse a wrong password with an error that says so', async () => {
    const thrown = await as('server', 'wrong')
      .documents.list([])
      .catch((error) => error);
    expect(thrown).to.have.property('code', 'STORE_FAILED');
    expect(thrown.message).to.match(
      /NATS at nats:.* cannot list in HOOKLINE_hookline_documents: .*(authorization|reachable)/i,
    );
  });

  it('are not enough without the secret of the fleet', async () => {
    const server = as('server', 'for servers');
    await server.documents.write(['a'], { n: 1 });
    const forger = natsBackplane({
      servers: nats.url,
      secret: 'another secret that is also long enough',
      user: 'server',
      password: 'for servers',
    });
    open.push(forger);
    const thrown = await forger.documents.read(['a']).catch((error) => error);
    expect(thrown.message).to.match(/was not written with the secret of this fleet, or it was changed/);
    const heard: unknown[] = [];
    const stop = await server.link.hear('inbox', (message) => heard.push(message));
    forger.link.tell('inbox', { n: 1 });
    await sleep(200);
    stop();
    expect(heard).to.deep.equal([]);
  });

  it('let nobody with another secret write a document, which the fleet could not read', async () => {
    const server = as('server', 'for servers');
    await server.documents.write(['tokens', 'a'], { n: 1 });
    const other = natsBackplane({
      servers: nats.url,
      secret: 'another secret that is also long enough',
      user: 'server',
      password: 'for servers',
    });
    open.push(other);
    const thrown = await other.documents.write(['tokens', 'b'], { n: 1 }).catch((error) => error);
    expect(thrown).to.have.property('code', 'STORE_FAILED');
    expect(thrown.message).to.match(/Use the same secret on all servers/);
    expect(await server.documents.list(['tokens']))
      .to.deep.include(['tokens', 'a'])
      .and.not.deep.include(['tokens', 'b']);
  });
});
