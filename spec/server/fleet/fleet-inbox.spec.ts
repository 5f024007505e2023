import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { asyncScheduler } from 'rxjs';
import { z } from 'zod';
import { createInbox, type Inbox, memoryStateStore, permission, type StateStore } from '../../../lib/hooks/index.ts';
import { createAgent, createPipeline, defineTool, toolResult } from '../../../lib/index.ts';
import { type FleetInbox, fleetInbox } from '../../../lib/server/fleet/fleet-inbox.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';
import { memoryLinks } from './memory-link.ts';

/** An agent whose call of `pay` waits in the inbox. */
function paying(inbox: Inbox) {
  const paid: unknown[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    permission: 'external',
    inputSchema: z.object({ amount: z.number() }),
    execute(input) {
      paid.push(input);
      return toolResult('paid');
    },
  });
  const model = scriptedModel([{ toolCalls: [{ name: 'pay', input: { amount: 5 } }] }, 'done']);
  const pipeline = createPipeline([permission({ ask: ['pay'], askBy: 'inbox', timeoutMs: 60_000 }, { inbox })]);
  const agent = createAgent({ name: 'payer', model, tools: [pay], pipeline });
  return { paid, done: agent.call('pay') };
}

describe('the inbox of a fleet', () => {
  let state: StateStore;
  let links: ReturnType<typeof memoryLinks>;
  const open: FleetInbox[] = [];

  function server(): { own: Inbox; all: FleetInbox } {
    const own = createInbox();
    const all = fleetInbox({ own, link: links.link(), state, log: undefined });
    open.push(all);
    return { own, all };
  }

  beforeEach(() => {
    state = memoryStateStore({ now: () => asyncScheduler.now() });
    links = memoryLinks();
  });
  afterEach(() => {
    for (const one of open.splice(0)) one.stop();
  });

  async function waits(inbox: FleetInbox) {
    for (;;) {
      const [call] = inbox.list();
      if (call) return call;
      await sleep(1);
    }
  }

  it('lists a call on all servers, takes the first answer, and tells the loser who won', async () => {
    const [a, b] = [server(), server()];
    const { paid, done } = paying(a.own);
    const call = await waits(b.all);
    expect(call).to.deep.include({ tool: 'pay', input: { amount: 5 }, elsewhere: true });
    const answers = await Promise.all([
      b.all.answer(call.id, { action: 'approve', by: 'ann', hash: call.hash }),
      a.all.answer(call.id, { action: 'deny', by: 'bob', hash: call.hash }),
    ]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal(['accepted', 'answered']);
    await done;
    expect(paid).to.have.lengthOf(answers[0]?.status === 'accepted' ? 1 : 0);
    await sleep(1);
    expect(b.all.list()).to.deep.equal([]);
  });

  it('refuses an answer to another call than the one that was shown', async () => {
    const [a, b] = [server(), server()];
    const { paid, done } = paying(a.own);
    const call = await waits(b.all);
    expect((await b.all.answer(call.id, { action: 'approve', by: 'ann', hash: '0' })).status).to.equal('changed');
    await b.all.answer(call.id, { action: 'deny', by: 'ann', hash: call.hash });
    await done;
    expect(paid).to.deep.equal([]);
  });

  it('lists calls on a server that starts later, or that missed messages', async () => {
    const a = server();
    links.cut();
    const b = server();
    await sleep(5);
    const { done } = paying(a.own);
    await sleep(5);
    expect(b.all.list()).to.deep.equal([]);
    const late = server();
    const call = await waits(late.all);
    links.mend();
    await waits(b.all);
    links.cut();
    await a.all.answer(call.id, { action: 'deny', by: 'ann', hash: call.hash });
    await done;
    links.mend();
    await sleep(5);
    expect([b, late].map(({ all }) => all.list())).to.deep.equal([[], []]);
  });

  it('drops a call whose server is gone', async () => {
    const b = server();
    const gone = { id: 'gone', askedAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-02T00:00:00.000Z', hash: 'h' };
    await new Promise((resolve) => state.set(['inbox-call', 'gone'], gone).subscribe({ complete: () => resolve(0) }));
    links.mend();
    const call = await waits(b.all);
    expect(call.id).to.equal('gone');
    expect(await b.all.answer('gone', { action: 'approve', by: 'ann', hash: 'h' })).to.deep.equal({
      status: 'unknown',
    });
    expect(b.all.list()).to.deep.equal([]);
  });
});
