import * as strands from '@strands-agents/sdk';
import { expect } from 'chai';
import { hookline } from '../../../lib/adapters/strands/index.ts';
import { abort, createPipeline, defineTool, HooklineError, modify, retry } from '../../../lib/index.ts';
import { rejection } from '../../tools/rejection.ts';
import { answers, asksForLook, call, scene } from './scene.ts';

const mild = { chunks: ['It is mild.'] };
const both = { calls: [call('c1', 'look', { at: 'x' }), call('c2', 'peek', { at: 'y' })] };

describe('calls of a Strands agent', () => {
  it('run once each, if one is pending and a concurrent one is not', async () => {
    const { agent, ran, recorded } = scene({
      turns: [both, mild],
      tools: { look: () => 'seen', peek: () => 'peeked' },
      hooks: [asksForLook],
    });
    const asked = await agent.invoke('Go!');
    expect([asked.stopReason, ran]).to.deep.equal(['interrupt', ['peek {"at":"y"}']]);
    expect(asked.interrupts?.[0]?.reason).to.deep.include({ prompt: 'Look there?', by: 'asks' });
    expect(recorded.of('postCall')[0]?.outcome).to.equal('suspended');
    await agent.invoke(answers(asked, { look: { approved: true } }));
    expect(ran).to.deep.equal(['peek {"at":"y"}', 'look {"at":"x"}']);
    expect(recorded.of('preCall')[1]?.run.resumedFrom).to.equal(recorded.of('preCall')[0]?.run.runId);
  });

  it('fail if their tool throws: hooks may retry, and the error text is redacted', async () => {
    let tries = 0;
    const { agent, ran, recorded } = scene({
      turns: [both, mild],
      tools: {
        look: () => {
          throw new Error('no swordfish');
        },
        peek: () => {
          tries += 1;
          if (tries === 1) throw new Error('busy');
          return 'peeked';
        },
      },
      hooks: [
        {
          name: 'again',
          on: {
            error: (event) => (event.phase === 'acting' && event.error.message.includes('busy') ? retry(event) : event),
          },
        },
        { name: 'redacts', redact: (text) => text.replaceAll('swordfish', '[gone]') },
      ],
    });
    await agent.invoke('Go!');
    expect([ran.length, tries]).to.deep.equal([3, 2]);
    expect(
      recorded
        .of('postActing')
        .map(({ outcome }) => outcome)
        .sort(),
    ).to.deep.equal(['executed', 'failed']);
    expect(JSON.stringify(agent.messages)).to.include('no [gone]').and.not.include('swordfish');
  });

  it('fail with a clear message if their tool returns no result', async () => {
    for (const given of [undefined, null]) {
      const { name, toolSpec } = { name: 'bare', toolSpec: { name: 'bare', description: 'Gives nothing.' } };
      // biome-ignore lint/correctness/useYield: a tool of the host is a generator.
      const stream = async function* () {
        return given;
      };
      const bare = { name, description: 'Gives nothing.', toolSpec, stream } as unknown as strands.Tool;
      const { agent, model, recorded } = scene({
        turns: [{ calls: [call('c1', 'bare')] }, mild],
        config: { tools: [bare] },
      });
      await agent.invoke('Go!');
      expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
      expect(model.prompts[1]).to.include('did not return a result').and.not.include('undefined');
    }
  });

  it('report a tool error to plugins of the host, which may retry', async () => {
    const errors: unknown[] = [];
    const retries: strands.Plugin = {
      name: 'retries',
      initAgent(agent) {
        agent.addHook(strands.AfterToolCallEvent, (event) => {
          if (!event.error) return;
          errors.push(event.error.message);
          event.retry = true;
        });
      },
    };
    let tries = 0;
    const { agent, model } = scene({
      turns: [{ calls: [call('c1', 'look', { at: 'x' })] }, mild],
      tools: {
        look: () => {
          tries += 1;
          if (tries === 1) throw new Error('busy: swordfish');
          return 'seen';
        },
      },
      hooks: [{ name: 'redacts', redact: (text) => text.replaceAll('swordfish', '[gone]') }],
      after: [retries],
    });
    await agent.invoke('Go!');
    expect([tries, errors.length]).to.deep.equal([2, 1]);
    expect(String(errors[0])).to.include('busy: [gone]').and.not.include('swordfish');
    expect(model.prompts.at(-1)).to.include('seen').and.not.include('busy');
  });

  it('may interrupt themselves and run again with the answer', async () => {
    const { agent, ran, recorded } = scene({
      turns: [{ calls: [call('c1', 'look')] }, mild],
      tools: { look: (_, context) => context.interrupt({ name: 'own', reason: { call: { name: 'look' } } }) },
    });
    const asked = await agent.invoke('Go!');
    expect(asked.stopReason).to.equal('interrupt');
    expect(recorded.of('postCall')[0]?.outcome).to.equal('suspended');
    await agent.invoke(answers(asked, { look: 'there' }));
    expect([ran.length, recorded.of('postActing').at(-1)?.result.content]).to.deep.equal([2, 'there']);
  });

  it('end with the run if one of them is aborted', async () => {
    let begun = (): void => {};
    const beside = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { agent, recorded, model } = scene({
      turns: [both, mild],
      tools: {
        look: () => beside.then(() => 'seen'),
        peek() {
          begun();
          return new Promise(() => {});
        },
      },
      hooks: [
        { name: 'h', on: { postActing: (event) => (event.toolCall.id === 'c1' ? abort(event, 'enough') : undefined) } },
      ],
    });
    expect(await rejection(agent.invoke('Go!'))).to.include({ code: 'RUN_ABORTED' });
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['executed', 'cancelled']);
    expect([model.asked.length, recorded.of('postCall')[0]?.outcome]).to.deep.equal([1, 'aborted']);
    expect(agent.isInvoking).to.equal(false);
  });

  it('are closed if an earlier one is aborted', async () => {
    const { agent, recorded } = scene({
      turns: [both],
      tools: { look: () => 'seen', peek: () => 'peeked' },
      hooks: [{ name: 'h', on: { preActing: (event) => abort(event, 'enough') } }],
      config: { toolExecutor: 'sequential' },
    });
    await rejection(agent.invoke('Go!'));
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['skipped', 'skipped']);
  });

  it('keep objects, also after text changes by a hook', async () => {
    const of = async (content?: string) => {
      const { agent } = scene({
        turns: [{ calls: [call('c1', 'look')] }, mild],
        tools: { look: () => ({ secret: 1 }) },
        hooks: content
          ? [{ name: 'h', on: { postActing: (event) => modify(event, { result: { ...event.result, content } }) } }]
          : [],
      });
      await agent.invoke('Go!');
      return JSON.stringify(agent.messages[2]?.content[0]);
    };
    expect(await of()).to.include('{"json":{"secret":1}}');
    expect(await of('{"secret":0}')).to.include('{"json":{"secret":0}}');
    expect(await of('gone'))
      .to.include('{"text":"gone"}')
      .and.not.to.include('secret');
  });

  it('have the tools of hooks, and name a missing one', async () => {
    const found: unknown[] = [];
    const find = defineTool({
      name: 'find',
      description: 'Finds.',
      inputSchema: { type: 'object' },
      execute: () => String(found.push(1)),
    });
    const { agent, model } = scene({
      turns: [{ calls: [call('c1', 'find'), call('c2', 'nothing')] }, mild],
      tools: { look: () => 'seen' },
      hooks: [{ name: 'h', tools: [find] }],
    });
    await agent.invoke('Go!');
    expect(found).to.have.length(1);
    expect(model.prompts[1]).to.include('There is no tool');
  });

  it('of a sub-agent are separate', async () => {
    const inner = scene({ turns: [mild] });
    const helper = inner.agent.asTool({ name: 'helper' });
    const outer = scene({
      turns: [{ calls: [call('c1', 'helper', { input: 'Go!' })] }, mild],
      config: { tools: [helper] },
    });
    await outer.agent.invoke('Go!');
    expect(outer.recorded.of('postActing')[0]?.result.content).to.equal('It is mild.');
    expect(inner.recorded.of('postCall')[0]?.outcome).to.equal('completed');
  });
});

describe('a setup that hooks cannot guard in Strands', () => {
  it('is rejected at construction or at the start of the agent', async () => {
    const { agent } = scene({ turns: [mild], config: { backgroundTasks: true } });
    expect((await rejection(agent.invoke('Go!'))).message).to.include('backgroundTasks');
  });

  it('is rejected if the plugin receives anything but an agent', () => {
    const plugin = hookline(strands, createPipeline([]), { agent: 'guest' });
    for (const agent of [undefined, null, 'guest', {}])
      expect(() => plugin.initAgent(agent)).to.throw(HooklineError, 'in the plugins of a Strands agent');
  });

  it('fails if another plugin comes after the hooks', async () => {
    // biome-ignore lint/correctness/useYield: a step of the host is a generator.
    const answered = async function* () {
      return { result: { message: new strands.Message({ role: 'assistant', content: [] }), stopReason: 'endTurn' } };
    };
    const behind = {
      name: 'behind',
      initAgent: (host: strands.LocalAgent) => void host.addMiddleware(strands.InvokeModelStage, answered as never),
    };
    const { agent } = scene({ turns: [mild], after: [behind] });
    expect((await rejection(agent.invoke('Go!'))).message).to.include('put hookline(..) last');
  });
});
