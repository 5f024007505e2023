import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { firstValueFrom } from 'rxjs';
import { z } from 'zod';
import { createAgent, createPipeline, defineHook, defineTool, type Message, toolResult } from '../../lib/index.ts';
import { type Backplane, natsBackplane } from '../../lib/nats/backplane.ts';
import { scriptedModel, transcriptStoreContract } from '../../lib/testing/index.ts';
import { tempFolder } from '../temp-folder.ts';
import { aNatsServer, type NatsServer } from './a-nats-server.ts';

const secret = 'a secret of the fleet that is long enough';
const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });

describe('sessions on a NATS backplane', () => {
  let server: NatsServer;
  let a: Backplane;
  let b: Backplane;
  let c: Backplane;

  before(async function () {
    const started = await aNatsServer();
    if (!started) this.skip();
    server = started;
  });
  beforeEach(() => {
    [a, b, c] = [0, 1, 2].map(() => natsBackplane({ servers: server.url, secret })) as [
      Backplane,
      Backplane,
      Backplane,
    ];
  });
  afterEach(() => Promise.all([a, b, c].map((one) => one?.close())));
  after(() => server?.kill());

  it('are read as they were written, on any server', async () => {
    const { transcript } = a;
    expect(await transcript.load('s')).to.deep.equal([]);
    await transcript.append('s', [user('one'), user('two')]);
    await transcript.append('s', [user('three \u2028 \ud83d\ude00')]);
    const all = [user('one'), user('two'), user('three \u2028 \ud83d\ude00')];
    expect(await b.transcript.load('s')).to.deep.equal(all);
    await b.transcript.truncate('s', 1);
    await b.transcript.append('s', [user('x'.repeat(3_000_000))]);
    expect(await c.transcript.load('s')).to.deep.equal([user('one'), user('x'.repeat(3_000_000))]);
  });

  it('keep the contract of transcript stores', async () => {
    const open: Backplane[] = [];
    for (const spill of [undefined, tempFolder('spill')]) {
      await transcriptStoreContract(() => {
        const one = natsBackplane({ servers: server.url, secret }, { ...(spill && { spill }) });
        open.push(one);
        return one.transcript;
      });
    }
    await Promise.all(open.map((one) => one.close()));
  });

  it('are not changed by a server that does not know the last change', async () => {
    await a.transcript.load('t');
    await b.transcript.load('t');
    await b.transcript.append('t', [user('of b')]);
    const thrown = await Promise.resolve(a.transcript.append('t', [user('of a')])).catch((error) => error);
    expect(thrown).to.have.property('code', 'STORE_CONFLICT');
    expect(await a.transcript.load('t')).to.deep.equal([user('of b')]);
  });

  it('have one run at a time across servers', async () => {
    const active: string[] = [];
    const overlaps: string[] = [];
    const agentOf = (name: string, { transcript }: Backplane) => {
      const tool = defineTool({
        name: 'work',
        description: 'Works.',
        permission: 'write',
        inputSchema: z.object({}),
        async execute() {
          active.push(name);
          if (active.length > 1) overlaps.push(active.join());
          await sleep(50);
          active.pop();
          return toolResult('done');
        },
      });
      const model = scriptedModel([{ toolCalls: [{ name: 'work', input: {} }] }, 'done']);
      return createAgent({ name, model, tools: [tool], transcript });
    };
    await Promise.all([agentOf('a', a).call('go', { sessionId: 'u' }), agentOf('b', b).call('go', { sessionId: 'u' })]);
    expect(overlaps).to.deep.equal([]);
    expect(await a.transcript.load('u')).to.have.lengthOf(8);
  });

  it('stop a run whose server has lost the turn, before it acts', async () => {
    let ran = 0;
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      permission: 'write',
      inputSchema: z.object({}),
      execute() {
        ran += 1;
        return toolResult('done');
      },
    });
    // Another server takes the turn while this one thinks, as after a long pause of the process.
    const stolen = defineHook({
      name: 'thief',
      on: {
        async preActing(event) {
          for (const key of await firstValueFrom(b.state.list(['session-turn'])))
            await firstValueFrom(b.state.remove(key));
          await firstValueFrom(b.state.set(['session-turn', 'v'], { owner: 'b' }));
          await sleep(4_000);
          return event;
        },
      },
      timeoutMs: 10_000,
    });
    const model = scriptedModel([{ toolCalls: [{ name: 'work', input: {} }] }, 'done']);
    const pipeline = createPipeline([stolen]);
    const agent = createAgent({ name: 'a', model, tools: [tool], transcript: a.transcript, pipeline });
    const post = await agent.call('go', { sessionId: 'v', hooks: [a.turnHook('v')] });
    expect(ran).to.equal(0);
    expect(post.outcome).to.equal('aborted');
    expect(post.reason).to.match(/lost its turn in the session/);
  });
});
