import { expect } from 'chai';
import { lastValueFrom, type Subscription, tap } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { respond } from '../../../lib/events/decisions/respond.ts';
import { rateLimit } from '../../../lib/hooks/rate-limit/rate-limit.ts';
import type { RateLimitOptions } from '../../../lib/hooks/rate-limit/rate-limit-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import type { StateStore } from '../../../lib/store/state/state-store.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';

const tools = ['fetch', 'read'].map((name) =>
  defineTool({ name, description: name, inputSchema: { type: 'object' }, execute: () => 'ran' }),
);
const long = 'x'.repeat(60);

describe('rateLimit over a run', () => {
  it('counts later calls that reuse the id of an earlier one', async () => {
    const outcomes: string[] = [];
    const pipeline = createPipeline([
      rateLimit({ limits: [{ max: 1 }] }),
      defineHook({
        name: 'outcomes',
        observe: (event) => void (event.type === 'postActing' && outcomes.push(event.outcome)),
      }),
    ]);
    const call = { toolCalls: [{ id: 'call_0', name: 'fetch', input: {} }] };
    const model = scriptedModel([call, call, call, call, 'Done.']);
    await createAgent({ name: 'a', model, tools, pipeline }).call('go');
    expect(outcomes).to.deep.equal(['executed', 'denied', 'denied', 'denied']);
  });

  it('counts no model request that another hook answers', async () => {
    const answers = defineHook({
      name: 'answers',
      on: { preReasoning: (event) => (event.run.metadata?.['known'] ? respond(event, 'Known.') : event) },
    });
    const pipeline = createPipeline([rateLimit({ limits: [{ of: 'modelRequests', max: 1, per: [] }] }), answers]);
    const agent = createAgent({ name: 'a', model: scriptedModel(['Asked.', 'No.']), pipeline });
    const outcomes: string[] = [];
    for (const known of [true, true, false, false])
      outcomes.push((await agent.call('go', { metadata: { known } })).outcome);
    expect(outcomes).to.deep.equal(['responded', 'responded', 'completed', 'aborted']);
  });

  describe('of tokens', () => {
    /** The outcomes and warnings of three runs under a limit that one answer exceeds. */
    async function three(turn: { text: string; error?: string }, cut = false) {
      const warned: string[] = [];
      const warn = (fields: unknown, message?: string) => void warned.push(message ?? String(fields));
      const log = { debug() {}, info() {}, error() {}, warn };
      const limits = [{ of: 'tokens' as const, max: 50, per: [] }];
      const pipeline = createPipeline([rateLimit({ limits }, { countTokens: (text) => text.length })], { log });
      const agent = createAgent({ name: 'a', model: scriptedModel([turn, turn, turn]), pipeline });
      const outcomes: string[] = [];
      for (const question of ['1', '2', '3']) {
        const controller = new AbortController();
        await lastValueFrom(
          agent.run(question, { signal: controller.signal }).pipe(
            tap((event) => {
              if (cut && event.type === 'reasoningChunk') controller.abort();
              if (event.type === 'postCall') outcomes.push(event.outcome);
            }),
          ),
        );
      }
      return { outcomes, warned };
    }

    it('estimates tokens that the provider does not report, and logs it once', async () => {
      const { outcomes, warned } = await three({ text: long });
      expect(outcomes).to.deep.equal(['completed', 'aborted', 'aborted']);
      expect(warned.filter((text) => text.includes('does not report'))).to.have.length(1);
    });

    it('counts text streamed until a failure or a cancellation', async () => {
      expect((await three({ text: long, error: 'lost' })).outcomes).to.deep.equal(['failed', 'aborted', 'aborted']);
      expect((await three({ text: long }, true)).outcomes).to.deep.equal(['cancelled', 'aborted', 'aborted']);
    });
  });

  describe('with several limits', () => {
    type Call = readonly [at: number, tool: string, cancelAt?: number];

    /** The calls that ran, with times in seconds. A call may be cancelled. */
    function ran(limits: RateLimitOptions['limits'], calls: readonly Call[], store?: StateStore): string[] {
      const lines: string[] = [];
      const scheduler = new TestScheduler(() => {});
      scheduler.run(({ cold }) => {
        const pipeline = createPipeline([rateLimit({ limits }, store ? { store } : {})], { scheduler });
        for (const [index, [at, tool, cancelAt]] of calls.entries()) {
          let acting: Subscription | undefined;
          const act = () => {
            const run = pipeline.start({ agent: 'a', sessionId: 's' });
            acting = run.act({ id: 'c', name: tool, input: {} }, tools).subscribe((event) => {
              if (event.type === 'postActing') lines.push(`${index}: ${event.outcome}`);
            });
          };
          cold(`${at}s (x|)`).subscribe(act);
          if (cancelAt !== undefined) cold(`${cancelAt}s (x|)`).subscribe(() => acting?.unsubscribe());
        }
      });
      return lines;
    }

    it('refunds a call that is cancelled while it waits for another limit', () => {
      const limits = [
        { max: 2, windowMs: 60_000 },
        { max: 1, tools: ['fetch'], windowMs: 40_000, maxWaitMs: 50_000 },
      ];
      const calls: Call[] = [
        [0, 'fetch'],
        [1, 'fetch', 2],
        [3, 'read'],
        [4, 'read'],
      ];
      expect(ran(limits, calls)).to.deep.equal(['0: executed', '2: executed', '3: denied']);
    });

    it('refunds at the time of the original grant', () => {
      const limits = [
        { max: 2, windowMs: 60_000 },
        { max: 1, tools: ['fetch'], windowMs: 40_000, maxWaitMs: 50_000 },
      ];
      const calls: Call[] = [
        [0, 'fetch'],
        [1, 'fetch', 30],
        [65, 'read'],
        [66, 'read'],
        [67, 'read'],
      ];
      expect(ran(limits, calls)).to.deep.equal(['0: executed', '2: executed', '3: executed', '4: denied']);
    });

    it('refunds the grant when the store fails at another limit', async () => {
      const store = memoryStateStore();
      const keys: string[] = [];
      const failing: StateStore = {
        ...store,
        set: (key, ...rest) => {
          keys.push(key.join('/'));
          if (key[2] === '1') throw new Error('disk full');
          return store.set(key, ...rest);
        },
      };
      const limits = [
        { max: 1, per: [] },
        { max: 5, per: [], tools: ['fetch'] },
      ];
      expect(
        ran(
          limits,
          [
            [0, 'fetch'],
            [1, 'read'],
            [2, 'read'],
          ],
          failing,
        ),
      ).to.deep.equal(['0: denied', '1: executed', '2: denied']);
      expect(keys).to.include('rate-limit/rate-limit/1');
    });
  });
});
