import { expect } from 'chai';
import { firstValueFrom, of, toArray } from 'rxjs';
import { z } from 'zod';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { abort } from '../../../lib/events/decisions/abort.ts';
import { finish } from '../../../lib/events/decisions/finish.ts';
import { modify } from '../../../lib/events/decisions/modify.ts';
import { respond } from '../../../lib/events/decisions/respond.ts';
import { retry } from '../../../lib/events/decisions/retry.ts';
import { assistantMessage, textOf } from '../../../lib/events/parts/messages.ts';
import { structuredOutput } from '../../../lib/hooks/structured-output/structured-output.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { Hook } from '../../../lib/pipeline/define/hook.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';

const schema = z.object({ a: z.number() });
const good = '{"a":1}';
const call = (name: string, input: object) => ({ toolCalls: [{ name, input: input as never }] });

/** The outcome of a run with this hook and a valid model answer. */
async function beside(other: Omit<Parameters<typeof defineHook>[0], 'name'>, mode: 'tool' | 'prompt' = 'prompt') {
  const answer = structuredOutput(schema, { mode });
  const pipeline = createPipeline([defineHook({ name: 'other', ...other }), answer.hook]);
  const model = scriptedModel(mode === 'tool' ? [call('final_answer', { a: 1 })] : [good, good, good]);
  const post = await createAgent({ name: 'a', model, pipeline }).call('go');
  return { post, read: () => answer.read(post), told: `${post.outcome}: ${post.reason ?? textOf(post.message)}` };
}

describe('structuredOutput with other hooks', () => {
  const bad: Record<string, Omit<Parameters<typeof defineHook>[0], 'name'>> = {
    'answers instead of the model': { on: { preReasoning: (event) => respond(event, 'not json') } },
    'answers instead of the agent': { on: { preCall: (event) => respond(event, 'not json') } },
    'answers without matching the schema': { on: { preReasoning: (event) => respond(event, '{"a":"x"}') } },
    'changes the answer': {
      on: { postReasoning: (event) => modify(event, { message: assistantMessage('{"a":***}') }) },
    },
    'changes the answer late': {
      priority: 700,
      on: { postReasoning: (event) => modify(event, { message: assistantMessage('{"a":***}') }) },
    },
    'changes the stream': {
      on: { reasoningChunk: (event) => modify(event, { delta: event.delta.replace('1', '***') }) },
    },
  };
  for (const [what, other] of Object.entries(bad))
    for (const mode of ['tool', 'prompt'] as const)
      it(`fails if another hook ${what} (${mode})`, async () => {
        const { told, read } = await beside(other, mode);
        expect(told).to.match(/^failed: .*does not match the schema/);
        expect(read).to.throw(/no answer that matches the schema: its outcome is failed/);
      });

  it('accepts a valid answer that another hook gives or rewrites', async () => {
    for (const other of [
      { on: { preReasoning: (event) => respond(event, '{"a":2}') } },
      { on: { preCall: (event) => respond(event, '{"a":2}') } },
      { on: { postReasoning: (event) => modify(event, { message: assistantMessage('```json\n{"a":2}\n```') }) } },
    ] satisfies Omit<Parameters<typeof defineHook>[0], 'name'>[]) {
      const { read, post } = await beside(other);
      expect(read()).to.deep.equal({ a: 2 });
      if (other.on.postReasoning) expect(textOf(post.message)).to.equal('{"a":2}');
    }
  });

  it('does not validate an answer that another hook has dropped', async () => {
    let times = 0;
    const again = defineHook({
      name: 'again',
      on: {
        postReasoning: (event) => {
          times += 1;
          return times === 1 ? retry(modify(event, { message: assistantMessage('hm') })) : event;
        },
      },
    });
    const answer = structuredOutput(schema, { mode: 'prompt' });
    const agent = createAgent({
      name: 'a',
      model: scriptedModel([good, good]),
      pipeline: createPipeline([again, answer.hook]),
    });
    expect(answer.read(await agent.call('go'))).to.deep.equal({ a: 1 });
  });

  it('reads no answer from a run that failed', async () => {
    const answer = structuredOutput(schema);
    const message = assistantMessage(good);
    for (const outcome of ['aborted', 'failed', 'cancelled', 'suspended'] as const)
      expect(() => answer.read({ outcome, message })).to.throw(`its outcome is ${outcome}`);
    for (const outcome of ['completed', 'responded', 'finished', 'exhausted'] as const)
      expect(answer.read({ outcome, message })).to.deep.equal({ a: 1 });
    const { read } = await beside({ on: { postReasoning: (event) => abort(event, 'no') } });
    expect(read).to.throw('its outcome is aborted');
    expect((await beside({ on: { postReasoning: (event) => finish(event) } })).read()).to.deep.equal({ a: 1 });
  });

  describe('of a sub-agent', () => {
    const child = (pipeline: ReturnType<typeof createPipeline>, ...turns: Parameters<typeof scriptedModel>[0]) =>
      agentTool(createAgent({ name: 'child', model: scriptedModel(turns), pipeline }), { description: 'Helps.' });
    const helped = async (hooks: readonly Hook[], tool: ReturnType<typeof child>, ...turns: string[]) => {
      const model = scriptedModel([call('child', { prompt: 'help' }), ...turns]);
      const agent = createAgent({ name: 'parent', model, tools: [tool], pipeline: createPipeline([...hooks]) });
      const events = await firstValueFrom(agent.run('go').pipe(toArray()));
      return events.flatMap((event) => (event.type === 'postActing' && event.run.depth === 0 ? [event.result] : []));
    };

    it('applies to the sub-agent with the hook', async () => {
      const own = createPipeline([structuredOutput(schema, { mode: 'prompt' }).hook]);
      const [result] = await helped([], child(own, 'not json', good), 'Done.');
      expect(result).to.include({ content: good, isError: false });
      const [failed] = await helped([], child(own, 'no', 'no', 'no'), 'Done.');
      expect(failed?.content).to.match(/^Agent "child" failed \(run [-0-9a-f]+\)\.$/);
    });

    it('does not apply to a sub-agent of the agent with the hook', async () => {
      const { hook } = structuredOutput(schema, { mode: 'prompt' });
      const [result] = await helped([hook], child(createPipeline(), 'not json'), good);
      expect(result).to.include({ content: 'not json', isError: false });
    });

    it('does not apply to the sub-agents of a sub-agent with the hook', async () => {
      const own = createPipeline([structuredOutput(schema, { mode: 'prompt' }).hook]);
      const grandchild = child(createPipeline(), 'not json');
      const model = scriptedModel([call('child', { prompt: 'help' }), good]);
      const middle = agentTool(createAgent({ name: 'middle', model, tools: [grandchild], pipeline: own }), {
        description: 'Helps.',
        name: 'child',
      });
      const [result] = await helped([], middle, 'Done.');
      expect(result).to.include({ content: good, isError: false });
    });
  });

  it('streams fields only when they are complete', async () => {
    const items = z.object({ items: z.array(z.object({ name: z.string(), price: z.number() })), sum: z.number() });
    const answer = structuredOutput(items, { mode: 'prompt' });
    const value = {
      items: [
        { name: 'a', price: 1 },
        { name: 'b', price: 2 },
      ],
      sum: 3,
    };
    const json = JSON.stringify(value);
    const model = Object.assign(
      () =>
        of(...[...json].map((delta) => ({ type: 'text' as const, delta })), {
          type: 'finish',
          finishReason: 'stop',
        } as const),
      {},
    );
    const agent = createAgent({ name: 'a', model, pipeline: createPipeline([answer.hook]) });
    const shown = await firstValueFrom(answer.partial(agent.run('go')).pipe(toArray()));
    expect(shown).to.deep.equal([{ items: value.items }, value]);
  });
});
