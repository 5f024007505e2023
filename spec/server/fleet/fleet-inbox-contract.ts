import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { z } from 'zod';
import { createInbox, type Inbox, permission, type StateStore } from '../../../lib/hooks/index.ts';
import { createAgent, createPipeline, defineTool, toolResult } from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { type FleetInbox, fleetInbox } from '../../../lib/server/fleet/fleet-inbox.ts';
import type { ServerLink } from '../../../lib/server/index.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';
import { eventually, INTERRUPTIONS } from './server-link-contract.ts';

/** What the servers of a fleet share. */
export interface Shares {
  /** Returns the parts of another server. `die` ends it without notice. */
  server(): { readonly link: ServerLink; readonly state: StateStore; die(): unknown };
  /** Cuts all servers from the store and each other, until `mend`. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

type Outcome = Awaited<ReturnType<FleetInbox['answer']>>;
const winnerOf = (outcome: Outcome) => ('winner' in outcome ? outcome.winner.by : outcome.status);

/** An agent whose call of `pay` waits in the inbox. */
function paying(inbox: Inbox, timeoutMs = 120_000) {
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
  const hooks = [permission({ ask: ['pay'], askBy: 'inbox', timeoutMs }, { inbox })];
  const agent = createAgent({
    name: 'payer',
    model,
    tools: [pay],
    pipeline: createPipeline(hooks, { log: silentLogger }),
  });
  const ending = new AbortController();
  return { paid, done: agent.call('pay', { signal: ending.signal }), cancel: () => ending.abort() };
}

/** Checks the promises of the inbox of a fleet. Each calls `shares` once. */
export function fleetInboxContract(shares: () => Shares): void {
  let fleet: Shares;
  const open: FleetInbox[] = [];

  beforeEach(() => {
    fleet = shares();
  });
  afterEach(() => {
    for (const one of open.splice(0)) one.stop();
  });

  function server() {
    const { link, state, die } = fleet.server();
    const own = createInbox();
    const all = fleetInbox({ own, link, state, log: undefined });
    const changes: string[] = [];
    all.changes$.subscribe(({ type, call }) => changes.push(`${type} ${call.id}`));
    open.push(all);
    return {
      own,
      all,
      changes,
      state,
      die() {
        all.stop();
        return die();
      },
      lists: (id: string) => eventually(() => all.list().find((call) => call.id === id)),
      drops: (id: string) => eventually(() => (all.list().some((call) => call.id === id) ? undefined : true)),
    };
  }

  const only = (inbox: Inbox) => eventually(() => inbox.list()[0]);
  const answerOf = (by: string, { hash }: { hash: string }, action: 'approve' | 'deny' = 'deny') => ({
    action,
    by,
    hash,
  });

  it('lists a call on all servers, takes one answer, and tells the losers who won, also later', async () => {
    const [a, b, c] = [server(), server(), server()];
    const { paid, done } = paying(a.own);
    const call = await only(a.own);
    for (const { lists } of [b, c])
      expect(await lists(call.id)).to.deep.include({ tool: 'pay', input: { amount: 5 }, elsewhere: true });
    const outcomes = await Promise.all([
      b.all.answer(call.id, answerOf('ann', call, 'approve')),
      a.all.answer(call.id, answerOf('bob', call)),
      c.all.answer(call.id, answerOf('cid', call)),
    ]);
    const first = outcomes.findIndex(({ status }) => status === 'accepted');
    const winner = ['ann', 'bob', 'cid'][first] as string;
    expect(outcomes.map(winnerOf).sort()).to.deep.equal(['accepted', winner, winner].sort());
    await done;
    expect(paid).to.have.lengthOf(winner === 'ann' ? 1 : 0);
    for (const { drops, changes } of [a, b, c]) {
      await drops(call.id);
      expect(changes).to.deep.equal([`waiting ${call.id}`, `answered ${call.id}`]);
    }
    for (const { all } of [a, b, c, server()])
      expect(winnerOf(await all.answer(call.id, answerOf('dan', call)))).to.equal(winner);
  });

  it('refuses an answer to another call than the one that was shown', async () => {
    const [a, b] = [server(), server()];
    const { paid, done } = paying(a.own);
    const call = await only(a.own);
    await b.lists(call.id);
    expect((await b.all.answer(call.id, answerOf('ann', { hash: '0' }, 'approve'))).status).to.equal('changed');
    await b.all.answer(call.id, answerOf('ann', call));
    await done;
    expect(paid).to.deep.equal([]);
  });

  it('keeps a call pending over an interruption, and lists it on servers that start later', async () => {
    const [a, b] = [server(), server()];
    const { paid, done } = paying(a.own);
    const call = await only(a.own);
    await b.lists(call.id);
    for (let time = 0; time < INTERRUPTIONS; time += 1) {
      await fleet.cut();
      await fleet.mend();
      await b.lists(call.id);
    }
    const late = server();
    await late.lists(call.id);
    await b.lists(call.id);
    const accepted = await eventually(() =>
      late.all.answer(call.id, answerOf('ann', call, 'approve')).catch(() => undefined),
    );
    expect(accepted.status).to.equal('accepted');
    await done;
    expect(paid).to.have.lengthOf(1);
    await b.drops(call.id);
    expect(b.changes).to.deep.equal([`waiting ${call.id}`, `answered ${call.id}`]);
  });

  it('lists a call that begins in an interruption, afterwards', async () => {
    const [a, b] = [server(), server()];
    const first = paying(a.own);
    const before = await only(a.own);
    await b.lists(before.id);
    await a.all.answer(before.id, answerOf('ann', before));
    await first.done;
    await b.drops(before.id);
    await fleet.cut();
    const { paid, done } = paying(a.own);
    const call = await only(a.own);
    await sleep(1_000);
    await fleet.mend();
    await b.lists(call.id);
    await eventually(() => b.all.answer(call.id, answerOf('ann', call, 'approve')).catch(() => undefined));
    await done;
    expect(paid).to.have.lengthOf(1);
  });

  it('drops a call that was answered in an interruption, and tells the loser who won', async () => {
    const [a, b] = [server(), server()];
    const { done } = paying(a.own);
    const call = await only(a.own);
    await b.lists(call.id);
    await fleet.cut();
    expect((await a.all.answer(call.id, answerOf('ann', call))).status).to.equal('accepted');
    await done;
    // Meanwhile, its server cannot share the answer.
    await sleep(1_000);
    await fleet.mend();
    const late = await eventually(() => b.all.answer(call.id, answerOf('bob', call, 'approve')).catch(() => undefined));
    expect(winnerOf(late)).to.equal('ann');
    await b.drops(call.id);
    await server().drops(call.id);
    expect(b.changes).to.deep.equal([`waiting ${call.id}`, `answered ${call.id}`]);
  });

  it('drops a call that its run has withdrawn, and no answer counts', async () => {
    const [a, b] = [server(), server()];
    const { cancel, done, paid } = paying(a.own);
    const call = await only(a.own);
    await b.lists(call.id);
    cancel();
    await done;
    for (const { all, drops } of [a, b]) {
      await drops(call.id);
      expect((await all.answer(call.id, answerOf('ann', call, 'approve'))).status).to.equal('unknown');
    }
    expect(paid).to.deep.equal([]);
  });

  it('drops the calls of a server that is gone: once one is answered, and once one expires', async () => {
    const [a, b] = [server(), server()];
    const [answered, expiring] = [paying(a.own), paying(a.own, 6_000)];
    const calls = await eventually(() => (a.own.list().length === 2 ? a.own.list() : undefined));
    for (const { id } of calls) await b.lists(id);
    await a.die();
    const [first, second] = [...calls].sort((x, y) => y.expiresAt.localeCompare(x.expiresAt));
    // A request that is under way when a server ends gets no reply.
    const late = await eventually(() =>
      b.all.answer(first!.id, answerOf('ann', first!, 'approve')).catch(() => undefined),
    );
    expect(late.status).to.equal('unknown');
    expect(b.all.list().map(({ id }) => id)).to.not.include(first!.id);
    await b.drops(second!.id);
    await server().drops(first!.id);
    expect([answered.paid, expiring.paid]).to.deep.equal([[], []]);
    for (const { cancel, done } of [answered, expiring]) {
      cancel();
      await done;
    }
  });
}
