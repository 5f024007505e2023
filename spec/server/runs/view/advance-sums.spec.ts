import { expect } from 'chai';
import { agentTool, createAgent, createPipeline, defineHook, memoryTranscript, verdict } from 'hookline';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { aHouse } from '../a-house.ts';

const usage = (inputTokens: number, outputTokens: number) => ({ usage: { inputTokens, outputTokens } });
const no = defineHook({ name: 'no', match: { tools: ['deploy'] }, approve: () => verdict.deny('never') });
const deploy = scriptedTool({ name: 'deploy', result: 'x' });

/** An agent with a sub-agent that has a sub-agent; each is denied one call. */
function family() {
  const agentOf = (name: string, tools: Parameters<typeof createAgent>[0]['tools'] = [], below?: string) =>
    createAgent({
      name,
      model: scriptedModel([
        {
          toolCalls: [
            { name: 'deploy', input: {} },
            ...(below === undefined ? [] : [{ name: below, input: { prompt: 'go' } }]),
          ],
          ...usage(100, 10),
        },
        { text: 'done', ...usage(20, 2) },
      ]),
      tools: [deploy, ...tools],
      pipeline: createPipeline([no]),
      transcript: memoryTranscript(),
    });
  const inner = agentOf('inner');
  const outer = agentOf('outer', [agentTool(inner, { description: 'x' })], 'inner');
  return agentOf('main', [agentTool(outer, { description: 'x' })], 'outer');
}

async function viewOf(plan: Parameters<typeof aHouse>[0]) {
  const one = aHouse(plan);
  const { runId } = (await one.post('/api/runs', { prompt: 'go' })).json;
  await one.get(`/api/runs/${runId}/events`);
  return (await one.get(`/api/runs/${runId}`)).json;
}

describe('the sums of a run', () => {
  it('include sub-agents, which are a tree with their own sums', async () => {
    const agent = family();
    const view = await viewOf({
      start: ({ prompt, sessionId }, signal) => agent.run(prompt, { sessionId, signal }),
      prices: () => ({ prices: { '*': { input: 1, output: 10 } }, currency: 'EUR' }),
    });
    const one = { inputTokens: 120, outputTokens: 12 };
    const times = (n: number) => ({ inputTokens: n * one.inputTokens, outputTokens: n * one.outputTokens });
    expect(view).to.deep.include({ usage: times(3), refusals: 3, cost: { amount: 0.00072, currency: 'EUR' } });
    expect(view.tools).to.deep.equal(['deploy', 'outer', 'inner']);
    const [outer, inner, ...others] = view.subRuns;
    expect(others).to.deep.equal([]);
    expect(outer).to.deep.include({ parent: view.runId, agent: 'outer', state: 'ended', outcome: 'completed' });
    expect(outer).to.deep.include({ usage: times(2), refusals: 2, cost: { amount: 0.00048, currency: 'EUR' } });
    expect(inner).to.deep.include({ parent: outer.runId, agent: 'inner', usage: one, refusals: 1 });
    expect(inner.endedAt >= inner.startedAt).to.equal(true);
  });

  it('have a cost only if the price of each model is known', async () => {
    const model = () => scriptedModel([{ text: 'a', ...usage(1_000_000, 0) }]);
    expect(await viewOf({ model: model() })).to.not.have.property('cost');
    const of = (prices: object) => viewOf({ model: model(), prices: () => ({ prices: prices as never }) });
    expect(await of({ gpt: { input: 1, output: 1 } })).to.not.have.property('cost');
    expect((await of({ '*': { input: 3, output: 1 } })).cost).to.deep.equal({ amount: 3, currency: 'USD' });
    const chosen = defineHook({
      name: 'cheap',
      on: { preReasoning: (event) => ({ ...event, model: 'small-1' }) },
    });
    const view = await viewOf({
      model: model(),
      hooks: [chosen],
      prices: () => ({ prices: { 'small-*': { input: 2, output: 1 } } }),
    });
    expect(view).to.deep.include({ model: 'small-1', cost: { amount: 2, currency: 'USD' } });
  });

  it('include the start of the last error, without secrets', async () => {
    const key = `AKIA${'Z7QK2MRWX5LTN3PB'}`;
    const hide = defineHook({ name: 'hide', redact: (text) => text.replaceAll(key, '[hidden]') });
    const model = scriptedModel([{ error: { name: 'E', message: `no ${key}\n for ${'x'.repeat(500)}` } }]);
    const { lastError } = await viewOf({ model, hooks: [hide] });
    expect(lastError)
      .to.have.length(200)
      .and.match(/^no \[hidden\] for x+…$/);
  });
});
