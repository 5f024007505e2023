import { expect } from 'chai';
import {
  memoryPendingCallStore,
  openPendingCall,
  type PendingCallScope,
  pendingCallStore,
  signPendingCall,
} from '../../../lib/loops/index.ts';
import { toPendingCallRecord } from '../../../lib/loops/pending/pending-call-record.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';

const secret = 'a secret of at least thirty-two bytes';
const call = { id: 'c1', name: 'pay', input: { amount: 3 } };
const pending = toPendingCallRecord({
  run: { runId: 'r1', sessionId: 's1', agent: 'other', depth: 0 } as never,
  call: { key: 'c1', toolCall: call, judged: call, prompt: 'Pay?', by: 'asks' },
  state: {},
  iteration: 1,
});
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('not refused'),
    (thrown) => [thrown.code, thrown.message],
  );

describe('a pending call as text', () => {
  it('is restored unchanged', async () => {
    expect(await openPendingCall(await signPendingCall(pending, secret), secret)).to.deep.equal(pending);
  });

  it('is rejected if a byte was changed, or with another secret', async () => {
    const signed = await signPendingCall(pending, secret);
    for (const tampered of [
      signed.replace('"amount":3', '"amount":9'),
      `0${signed.slice(1)}1`,
      signed.slice(1),
      '',
      'x.{}',
    ]) {
      const [code, message] = await refusal(openPendingCall(tampered, secret));
      expect(code).to.equal('ANSWER_INVALID');
      expect(message).to.contain('signature');
    }
    expect((await refusal(openPendingCall(signed, 'another'))).join()).to.contain('another secret');
  });

  it('is rejected after its expiry', async () => {
    const signed = await signPendingCall({ ...pending, expiresAt: 1_000 }, secret);
    expect((await openPendingCall(signed, secret, 999)).expiresAt).to.equal(1_000);
    expect((await refusal(openPendingCall(signed, secret, 1_000))).join()).to.contain('it has expired');
  });

  it('is rejected if something else was signed', async () => {
    const signed = await signPendingCall({ ...pending, version: 2 } as never, secret);
    expect((await refusal(openPendingCall(signed, secret))).join()).to.match(/ANSWER_INVALID.*version/s);
  });
});

describe('a pending call in a store', () => {
  it('is given to only one of several takers', async () => {
    const store = memoryStateStore();
    const [one, other] = [pendingCallStore(store), pendingCallStore(store)];
    await one.keep({ agent: 'other', sessionId: 's1' }, pending);
    const taken = await Promise.all(
      [one, other, one].map((calls) => calls.take({ agent: 'other', sessionId: 's1' }, 'c1')),
    );
    expect(taken.filter(Boolean)).to.deep.equal([pending]);
  });

  it('belongs to one agent and session', async () => {
    const calls = pendingCallStore(memoryStateStore());
    await calls.keep({ agent: 'other', sessionId: 's1' }, pending);
    for (const scope of [
      { agent: 'other' },
      { agent: 'other', sessionId: 's2' },
      { agent: 'another', sessionId: 's1' },
    ])
      expect(await calls.take(scope, 'c1')).to.equal(undefined);
  });

  it('is forgotten after its expiry', async () => {
    let now = 0;
    const calls = pendingCallStore(memoryStateStore({ now: () => now }), { ttlMs: 1_000 });
    await calls.keep({ agent: 'other' }, pending);
    now = 1_001;
    expect(await calls.take({ agent: 'other' }, 'c1')).to.equal(undefined);
  });
});

describe('a pending call in memory', () => {
  it("accepts an approval of another process's call once, by agent, session and ID", () => {
    const calls = memoryPendingCallStore();
    const admit = (scope: PendingCallScope, id: string) => calls.admit?.(scope, id);
    expect([admit({ agent: 'other' }, 'c1'), admit({ agent: 'other' }, 'c1')]).to.deep.equal([true, false]);
    expect(admit({ agent: 'other', sessionId: 's1' }, 'c1')).to.equal(true);
    expect(admit({ agent: 'other' }, 'c2')).to.equal(true);
    expect(admit({ agent: 'other' }, 'c1')).to.equal(false);
  });

  it('is remembered after its answer, up to 10,000 answers', () => {
    const calls = memoryPendingCallStore();
    const admit = (id: number) => calls.admit?.({ agent: 'other' }, `c${id}`);
    for (let id = 0; id <= 10_000; id += 1) admit(id);
    expect([admit(10_000), admit(1), admit(0)]).to.deep.equal([false, false, true]);
  });
});
