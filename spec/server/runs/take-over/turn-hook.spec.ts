import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { retry } from 'rxjs';
import { z } from 'zod';
import { createAgent, createPipeline, defineHook, defineTool } from '../../../../lib/index.ts';
import { turnHook } from '../../../../lib/server/runs/take-over/turn-hook.ts';
import { scriptedModel } from '../../../../lib/testing/index.ts';

describe('the hook of a turn', () => {
  const turn = { isHeld: true };
  let ran = 0;
  beforeEach(() => {
    turn.isHeld = true;
    ran = 0;
  });

  function run(stored?: (runId: string) => Promise<boolean>, signal?: AbortSignal) {
    const pay = defineTool({
      name: 'pay',
      description: 'pays',
      inputSchema: z.object({}),
      execute() {
        ran += 1;
        if (ran === 1 && !stored) {
          turn.isHeld = false;
          throw new Error('try again');
        }
        return 'paid';
      },
    });
    const again = defineHook({ name: 'again', around: { acting: (_, next) => next().pipe(retry(2)) } });
    const pipeline = createPipeline([again, turnHook(() => turn.isHeld, stored)], {
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    const model = scriptedModel([{ toolCalls: [{ name: 'pay', input: {} }] }, 'done']);
    return createAgent({ name: 'a', model, tools: [pay], pipeline }).call('go', signal ? { signal } : {});
  }

  it('stops the next attempt of a call once the turn is lost', async () => {
    expect((await run()).outcome).to.equal('aborted');
    expect(ran).to.equal(1);
  });

  it('lets a call run only when the events before it are stored', async () => {
    const answers = [false, false, true];
    const before: number[] = [];
    const post = await run(async () => {
      before.push(ran);
      return answers.shift() === true;
    });
    expect([post.outcome, before, ran]).to.deep.equal(['completed', [0, 0, 0], 1]);
  });

  it('runs no call if the turn is lost while its events are not stored', async () => {
    const post = await run(async () => {
      turn.isHeld = false;
      return false;
    });
    expect([post.outcome, ran]).to.deep.equal(['aborted', 0]);
  });

  it('runs no call if its events were lost', async () => {
    const post = await run(() => Promise.reject(new Error('Events of this run were lost.')));
    expect([post.outcome, ran]).to.deep.equal(['completed', 0]);
  });

  it('asks no more once the call is cancelled', async () => {
    let asked = 0;
    const cancelling = new AbortController();
    await run(async () => {
      asked += 1;
      cancelling.abort();
      return false;
    }, cancelling.signal);
    await sleep(300);
    expect([asked, ran]).to.deep.equal([1, 0]);
  });
});
