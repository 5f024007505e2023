import { expect } from 'chai';
import { createAgent, createPipeline, defineHook, modify, verdict } from 'hookline';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { body, framesOf, hi, looks, said, scene } from './served.ts';

describe('watched runs on uiMessageStreamHandler', () => {
  it('gives each user threads of their own, and answers for the active thread of another user as for none', async () => {
    const tools = [scriptedTool({ name: 'weather', result: '18 °C', delayMs: 20 })];
    const { post, ask, model } = scene({ turns: [looks, 'Done.', 'Hello Bob.'], tools });
    const own = framesOf(await post(body()));
    const [foreign, unknown] = [await ask('/t/stream', { user: 'bob' }), await ask('/none/stream', { user: 'bob' })];
    expect([foreign.status, await foreign.text()]).to.deep.equal([unknown.status, await unknown.text()]);
    expect((await ask('/t/stop', { user: 'bob', method: 'POST' })).status).to.equal(204);
    expect((await own).join()).to.include('Done.');
    expect((await framesOf(await post(body(), { user: 'bob' }))).join()).to.include('Hello Bob.');
    expect(said(model.requests.at(-1)?.messages)).to.deep.equal(['user: hi']);
  });

  it('returns the same run for a repeated message', async () => {
    const tools = [scriptedTool({ name: 'weather', result: '18 °C', delayMs: 20 })];
    const { post, model } = scene({ turns: [looks, 'Done.'], tools });
    const streams = [await post(body()), await post(body())];
    const [first, again] = await Promise.all(streams.map(framesOf));
    expect(again).to.deep.equal(first);
    expect(model.requests).to.have.length(2);
  });

  it('answers 204 without an active run', async () => {
    const response = await scene().ask('/unknown/stream');
    expect(response.status).to.equal(204);
    expect(await response.text()).to.equal('');
  });

  it('names changing hooks and paths of traced runs, also to late watchers and after a resume', async () => {
    const asks = defineHook({ name: 'asks', approve: () => verdict.suspend('may I?') });
    const more = defineHook({
      name: 'more',
      on: {
        preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { city: 'sum 4712' } } }),
        preReasoning: (event) => modify(event, { options: { temperature: 0 } }),
      },
    });
    const tools = [scriptedTool({ name: 'weather', result: '18 °C', delayMs: 20 })];
    const pipeline = createPipeline([asks, more], { log: silentLogger, trace: true });
    const agent = createAgent({ name: 'guide', model: scriptedModel([looks, 'Done.']), tools, pipeline });
    const { post, ask } = scene({ agent, hookFacts: true });
    const told = async (response: Response) => {
      const chunks = (await framesOf(response)).slice(0, -1).map((frame) => JSON.parse(frame));
      const facts = chunks.flatMap(({ type, data }) => (type === 'data-hook' && data.steps ? [data.steps] : []));
      expect(JSON.stringify(facts)).not.to.include('4712');
      return { chunks, facts };
    };
    const changed = (path: string) => [{ hook: 'more', effect: 'changed', paths: [path] }];
    const first = await told(await post(body()));
    expect(first.facts).to.deep.equal([changed('options.temperature'), changed('toolCall.input.city')]);
    const { approvalId, toolCallId } = first.chunks.find(({ type }) => type === 'tool-approval-request');
    const approval = { id: approvalId, approved: true };
    const part = { type: 'dynamic-tool', toolName: 'weather', toolCallId, state: 'approval-responded', approval };
    const stream = await post(body({ messages: [hi, { id: 'a', role: 'assistant', parts: [part] }] }));
    await new Promise((go) => setTimeout(go, 5));
    for (const response of [await ask('/t/stream'), stream])
      expect((await told(response)).facts).to.deep.equal([
        changed('toolCall.input.city'),
        changed('options.temperature'),
      ]);
  });

  it('disconnects a client that does not read, and the run continues', async () => {
    const chunks = Array.from({ length: 10_000 }, () => 'x'.repeat(1_000));
    const { post, model } = scene({ turns: [{ chunks }, 'again'] });
    const failure = await (await post(body())).text().catch((thrown: Error) => thrown);
    expect(failure).to.be.an('error').with.property('message').that.includes('does not read');
    await framesOf(await post(body()));
    expect(said(model.requests[1]?.messages).map(({ length }) => length)).to.deep.equal([8, 10_000_011, 8]);
  });

  it('replays the whole run to a late client, for any number of bytes', async () => {
    const chunks = Array.from({ length: 20_000 }, () => '\u0001'.repeat(100));
    const tools = [scriptedTool({ name: 'weather', result: '18 °C', delayMs: 50 })];
    const { post, ask } = scene({ turns: [{ chunks, ...looks }, 'Done.'], tools, maxReplay: 50_000_000 });
    const first = (await post(body())).text().catch(() => undefined);
    await new Promise((go) => setTimeout(go, 5));
    const frames = await framesOf(await ask('/t/stream'));
    expect(frames.filter((frame) => frame.includes('text-delta'))).to.have.length(20_001);
    expect(frames.at(-1)).to.equal('[DONE]');
    await first;
  });
});
