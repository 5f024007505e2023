import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect } from 'chai';
import { firstValueFrom } from 'rxjs';
import { z } from 'zod';
import { claude } from '../../../../lib/cli/host-hook/dialects/claude/claude.ts';
import { judgeEvent } from '../../../../lib/cli/host-hook/judge/judge-event.ts';
import { createPipeline, defineHook, defineState, verdict } from '../../../../lib/index.ts';
import { memoryStateStore } from '../../../../lib/store/state/memory-state-store.ts';

const count = defineState({ name: 'calls', schema: z.int(), initial: 0 });
const limit = (most: number) =>
  defineHook({
    name: 'limit',
    on: {
      preActing: (_, context) => context.state(count).update((calls) => calls + 1),
    },
    approve: (_, context) => (context.state(count).get() > most ? verdict.deny('too many') : verdict.allow()),
  });

function host(most: number) {
  const store = memoryStateStore();
  // Each event has separate hooks, as in a separate process.
  const hooks = { lease: async () => ({ pipeline: createPipeline([limit(most)]), release() {}, store }) };
  return async (event: object) => {
    const text = JSON.stringify({ session_id: 's1', cwd: '/', ...event });
    const judging = { signal: new AbortController().signal, begin() {}, ask: undefined };
    return (await judgeEvent(hooks, claude, text, judging)).code;
  };
}
const call = (more: object = {}) => ({ hook_event_name: 'PreToolUse', tool_name: 'Count', tool_input: {}, ...more });

describe('session state of Claude Code', () => {
  it('continues across events, separate for other sessions and sub-agents', async () => {
    const send = host(2);
    expect([await send(call()), await send(call()), await send(call())]).to.deep.equal([0, 0, 2]);
    expect([await send(call({ session_id: 's2' })), await send(call({ agent_id: 'a1' }))]).to.deep.equal([0, 0]);
  });

  it('is reset by a prompt of the user', async () => {
    const send = host(1);
    expect([await send(call()), await send(call())]).to.deep.equal([0, 2]);
    expect(await send({ hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' })).to.equal(0);
    expect(await send(call())).to.equal(0);
  });

  it('counts concurrent events of one session, including those at its start', async () => {
    for (const begun of [false, true]) {
      const send = host(3);
      if (begun) await send(call());
      const codes = await Promise.all(Array.from({ length: 10 }, () => send(call())));
      expect(codes.filter((code) => code === 0)).to.have.lengthOf(begun ? 2 : 3);
    }
  });

  it('is not blocked by a dead process of this machine', async () => {
    const store = memoryStateStore();
    const { pid } = spawnSync('true');
    await firstValueFrom(store.set(['claude-session', 's1', ''], { calls: 1 }));
    await firstValueFrom(store.set(['claude-session-lock', 's1', ''], { host: hostname(), pid }));
    const hooks = { lease: async () => ({ pipeline: createPipeline([limit(3)]), release() {}, store }) };
    const text = JSON.stringify({ session_id: 's1', cwd: '/', ...call() });
    const over = AbortSignal.timeout(5_000);
    expect((await judgeEvent(hooks, claude, text, { signal: over, begin() {}, ask: undefined })).code).to.equal(0);
    expect(await firstValueFrom(store.get(['claude-session-lock', 's1', '']))).to.equal(undefined);
  });

  it('waits for the session only until the timeout of the answer', async () => {
    const store = memoryStateStore();
    await firstValueFrom(store.set(['claude-session', 's1', ''], { calls: 1 }));
    await firstValueFrom(store.set(['claude-session-lock', 's1', ''], true));
    const hooks = { lease: async () => ({ pipeline: createPipeline([limit(3)]), release() {}, store }) };
    const over = new AbortController();
    const text = JSON.stringify({ session_id: 's1', cwd: '/', ...call() });
    const judged = judgeEvent(hooks, claude, text, { signal: over.signal, begin() {}, ask: undefined });
    over.abort(new Error('no longer waits'));
    expect(await judged.catch((thrown: Error) => thrown.message)).to.equal('no longer waits');
  });
});
