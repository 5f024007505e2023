import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createAgent, createPipeline, type Message, textOf } from '../../lib/index.ts';
import { type Backplane, natsBackplane } from '../../lib/nats/backplane.ts';
import { scriptedModel } from '../../lib/testing/index.ts';
import { tempFolder } from '../temp-folder.ts';
import { aNatsServer, type NatsServer } from './a-nats-server.ts';

const secret = 'a secret of the fleet that is long enough';

describe('sessions that begin while NATS is away', function () {
  this.timeout(60_000);
  let nats: NatsServer;
  const open: Backplane[] = [];
  const server = (spill = tempFolder('spill')): Backplane => {
    const one = natsBackplane({ servers: nats.url, secret, timeoutMs: 300 }, { spill });
    open.push(one);
    return one;
  };
  const say = async ({ transcript, turnHook }: Backplane, sessionId: string, prompt: string) => {
    const pipeline = createPipeline([turnHook(sessionId)]);
    const agent = createAgent({ name: 'a', model: scriptedModel([{ text: `${prompt}!` }]), transcript, pipeline });
    const { outcome, reason } = await agent.call(prompt, { sessionId });
    return [outcome, reason?.replace(/:.*/s, '')];
  };
  const messageOf = (text: string, nth: number): Message => ({
    role: nth % 2 === 0 ? 'user' : 'assistant',
    parts: [{ type: 'text', text }],
  });
  const texts = (messages: readonly Message[]) => messages.map((message) => textOf(message));

  before(async function () {
    const started = await aNatsServer();
    if (!started) this.skip();
    nats = started;
  });
  beforeEach(() => nats.start());
  afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));
  after(() => nats?.kill());

  /** Waits for a session of this length on NATS. */
  async function moved(sessionId: string, length: number): Promise<readonly string[]> {
    const { transcript } = server();
    for (;;) {
      const found = (await Promise.resolve(transcript.load(sessionId)).catch(() => [])) as readonly Message[];
      if (found.length >= length) return texts(found);
      await sleep(50);
    }
  }

  it('run, go on, and are on NATS once it is back', async () => {
    const own = server();
    await nats.kill();
    own.transcript.begin?.('new');
    expect(await say(own, 'new', 'one')).to.deep.equal(['completed', undefined]);
    expect(await say(own, 'new', 'two')).to.deep.equal(['completed', undefined]);
    const all = ['one', 'one!', 'two', 'two!'];
    expect(texts((await own.transcript.load('new')) as readonly Message[])).to.deep.equal(all);
    await nats.start();
    expect(await moved('new', 4)).to.deep.equal(all);
    expect(await say(own, 'new', 'three')).to.deep.equal(['completed', undefined]);
    expect(await moved('new', 6)).to.deep.equal([...all, 'three', 'three!']);
  });

  it('are moved after a restart of the process', async () => {
    const spill = tempFolder('spill');
    const own = server(spill);
    await nats.kill();
    own.transcript.begin?.('restarted');
    await say(own, 'restarted', 'one');
    await own.close();
    const next = server(spill);
    expect(texts((await next.transcript.load('restarted')) as readonly Message[])).to.deep.equal(['one', 'one!']);
    await nats.start();
    expect(await moved('restarted', 2)).to.deep.equal(['one', 'one!']);
  });

  it('are completed if an earlier move arrived without an acknowledgement', async () => {
    const spill = tempFolder('spill');
    const own = server(spill);
    await nats.kill();
    own.transcript.begin?.('half');
    await say(own, 'half', 'one');
    await say(own, 'half', 'two');
    await own.close();
    await nats.start();
    const other = server();
    await other.transcript.append(
      'half',
      ['one', 'one!'].map((text, nth) => messageOf(text, nth)),
    );
    await other.close();
    server(spill);
    expect(await moved('half', 4)).to.deep.equal(['one', 'one!', 'two', 'two!']);
  });

  it('stay on disk if another server has used the ID', async () => {
    const spill = tempFolder('spill');
    const own = server(spill);
    await nats.kill();
    own.transcript.begin?.('taken');
    await say(own, 'taken', 'mine');
    await own.close();
    await nats.start();
    await say(server(), 'taken', 'theirs');
    const next = server(spill);
    while (readdirSync(`${spill}-sessions`).some((name) => name.startsWith('session'))) await sleep(20);
    expect(readdirSync(`${spill}-sessions`).filter((name) => name.startsWith('rejected'))).to.have.lengthOf(1);
    expect(texts((await next.transcript.load('taken')) as readonly Message[])).to.deep.equal(['theirs', 'theirs!']);
  });

  it('queue their runs, also while NATS comes back', async () => {
    const own = server();
    await nats.kill();
    own.transcript.begin?.('queued');
    await say(own, 'queued', 'one');
    const runs = ['two', 'three', 'four'].map((prompt) => say(own, 'queued', prompt));
    await nats.start();
    expect((await Promise.all(runs)).map(([outcome]) => outcome)).to.deep.equal([
      'completed',
      'completed',
      'completed',
    ]);
    const all = ['one', 'two', 'three', 'four'].flatMap((prompt) => [prompt, `${prompt}!`]);
    expect(await moved('queued', 8)).to.deep.equal(all);
  });

  it('are only new ones: a session that NATS may know does not run', async () => {
    const own = server();
    await say(own, 'old', 'one');
    await nats.kill();
    expect(await say(own, 'old', 'two')).to.deep.equal(['failed', `NATS at ${nats.url.replace(/:.*/s, '')}`]);
  });
});
