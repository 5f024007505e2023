import './no-telemetry.ts';
import { Agent } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { expect } from 'chai';
import { hookedMastra } from '../../../lib/adapters/ai-sdk/mastra/index.ts';
import { createPipeline, defineTool, deny, modify, verdict } from '../../../lib/index.ts';
import { recorder } from '../../../lib/testing/index.ts';
import { rejection } from '../../tools/rejection.ts';
import { scriptedLanguageModel } from '../ai-sdk/scripted-language-model.ts';
import { type Any, answering, call, scene } from './scene.ts';

const mild = { chunks: ['It is ', 'mild.'] };
const looks = { chunks: ['Looking.'], calls: [call('c1', 'look', { at: 'x' })] };
const asksForLook = {
  name: 'asks',
  approve: ({ toolCall }: { toolCall: { name: string } }) =>
    toolCall.name === 'look' ? verdict.suspend('Look there?') : verdict.allow(),
};

describe('a run of Mastra', () => {
  it('rejects with what its model has thrown, which is asked once', async () => {
    const { agent, model, recorded } = scene({ turns: [{ error: 'no such model' }, mild] });
    expect((await rejection(agent.generate('Go!'))).message).to.include('no such model');
    expect(model.prompts).to.have.length(1);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
  });

  it('is cancelled by the signal of the caller', async () => {
    const stop = new AbortController();
    const { agent, recorded } = scene({
      turns: [looks, mild],
      tools: {
        look() {
          stop.abort();
          return 'seen';
        },
      },
    });
    await agent.generate('Go!', { abortSignal: stop.signal }).catch(() => {});
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
  });

  it('is one for each invocation, also side by side in one context', async () => {
    const { agent, recorded } = scene({ turns: [mild, mild, mild] });
    const requestContext = new RequestContext([['place', 'here']]);
    const go = (sessionId: string) => agent.generate('Go!', { requestContext, hookline: { sessionId } });
    await Promise.all([go('a'), go('b')]);
    await go('c');
    const sessions = recorded.of('postCall').map(({ run }) => run.sessionId);
    expect(sessions.sort()).to.deep.equal(['a', 'b', 'c']);
  });

  it('has one end, whoever reads its stream, and however far', async () => {
    for (const read of ['text', 'getFullOutput', 'textStream', 'left'] as const) {
      const { agent, recorded } = scene({ turns: [looks, mild], tools: { look: () => 'seen' } });
      const result: Any = await agent.stream('Go!');
      if (read === 'text') await result.text;
      if (read === 'getFullOutput') await result.getFullOutput();
      if (read === 'textStream') for await (const _ of result.textStream);
      if (read === 'left') {
        for await (const _ of result.fullStream) break;
        await result.consumeStream();
      }
      expect(
        recorded.of('postCall').map(({ outcome }) => outcome),
        read,
      ).to.deep.equal(['completed']);
    }
  });

  it('keeps objects as objects, and gives progress and results as hooks have settled them', async () => {
    const { agent, recorded } = scene({
      turns: [looks, mild],
      tools: {
        async look(_, { writer }) {
          await writer.write({ step: 'murky' });
          await writer.custom({ type: 'data-own', data: 'murky' });
          return { place: 'murky', warm: true };
        },
      },
      hooks: [
        {
          name: 'h',
          on: {
            actingChunk: (event) => modify(event, { content: event.content.replace('murky', 'clean') }),
            postActing: (event) =>
              modify(event, { result: { ...event.result, content: event.result.content.replace('murky', 'clean') } }),
          },
        },
      ],
    });
    const parts: Any[] = [];
    for await (const part of (await agent.stream('Go!')).fullStream) parts.push(part);
    for (const part of parts) expect(JSON.stringify(part)).not.to.include('murky');
    expect(parts.find(({ type }) => type === 'tool-result').payload.result).to.deep.equal({
      place: 'clean',
      warm: true,
    });
    expect(JSON.stringify(parts.find(({ type }) => type === 'data-own'))).to.include('clean');
    expect(recorded.of('actingChunk').filter(({ content }) => content.includes('clean'))).to.have.length(2);
  });

  it('has the tools that hooks bring', async () => {
    const find = defineTool({
      name: 'find',
      description: 'Finds.',
      inputSchema: { type: 'object' },
      execute: () => 'found it',
    });
    const { agent, model } = scene({
      turns: [{ calls: [call('c1', 'find')] }, mild],
      hooks: [{ name: 'h', tools: [find] }],
    });
    await agent.generate('Go!');
    expect(JSON.stringify(model.prompts[1])).to.include('found it');
  });

  it('needs no tools', async () => {
    const recorded = recorder();
    const { model, tools, hookedAgent } = hookedMastra(
      { model: scriptedLanguageModel('v2', [mild]) },
      createPipeline([recorded]),
      { agent: 'guest' },
    );
    const agent = hookedAgent(new Agent({ id: 'a', name: 'a', instructions: 'Be kind.', model, tools }));
    expect((await agent.generate('Go!')).text).to.equal('It is mild.');
    expect(recorded.of('postCall').map(({ run }) => run.agent)).to.deep.equal(['guest']);
  });

  it('tells the model why a call was denied, and runs those beside it', async () => {
    const { agent, ran, model } = scene({
      turns: [{ calls: [call('c1', 'look'), call('c2', 'peek')] }, mild],
      tools: { look: () => 'seen', peek: () => 'peeked' },
      hooks: [
        {
          name: 'h',
          on: { preActing: (event) => (event.toolCall.name === 'look' ? deny(event, 'too risky') : undefined) },
        },
      ],
    });
    await agent.generate('Go!');
    expect(ran).to.deep.equal(['peek {}']);
    expect(JSON.stringify(model.prompts[1])).to.include('too risky').and.to.include('peeked');
  });

  it('keeps to the default options of its agent: their signal, their context, and what they want to hear', async () => {
    const stop = new AbortController();
    const heard: string[] = [];
    const contexts: unknown[] = [];
    const defaultOptions = {
      abortSignal: stop.signal,
      requestContext: new RequestContext([['place', 'here']]),
      modelSettings: { temperature: 0.5 },
      onFinish: () => void heard.push('finish'),
    };
    const of = (look: () => unknown) =>
      scene({
        turns: [looks, mild],
        config: { defaultOptions },
        tools: {
          look(_, { requestContext }) {
            contexts.push(requestContext.get('place'));
            return look();
          },
        },
      });
    await (await of(() => 'seen').agent.stream('Go!', { abortSignal: undefined })).text;
    const stopped = of(() => stop.abort());
    await (await stopped.agent.stream('Go!')).consumeStream();
    expect(stopped.recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
    expect([heard, contexts]).to.deep.equal([
      ['finish', 'finish'],
      ['here', 'here'],
    ]);
  });
});

describe('calls of Mastra that wait for an answer', () => {
  it('run once each, where one waits and the one beside it does not', async () => {
    const { agent, ran } = scene({
      turns: [{ calls: [call('c1', 'look'), call('c2', 'peek')] }, mild],
      tools: { look: () => 'seen', peek: () => 'peeked' },
      hooks: [asksForLook],
    });
    const asked: Any = await agent.generate('Go!');
    expect(asked.finishReason).to.equal('suspended');
    await agent.resumeGenerate({ approved: true }, answering(asked));
    expect([...ran].sort()).to.deep.equal(['look {}', 'peek {}']);
  });

  it('are answered one by one, where there are two', async () => {
    const { agent, ran, recorded } = scene({
      turns: [{ calls: [call('c1', 'look', { at: 'x' }), call('c2', 'look', { at: 'y' })] }, mild],
      tools: { look: () => 'seen' },
      hooks: [asksForLook],
    });
    const asked: Any = await agent.generate('Go!');
    const again: Any = await agent.resumeGenerate({ approved: true }, { runId: asked.runId, toolCallId: 'c1' });
    expect([again.finishReason, ran]).to.deep.equal(['suspended', ['look {"at":"x"}']]);
    await agent.resumeGenerate({ approved: false }, { runId: asked.runId, toolCallId: 'c2' });
    expect(ran).to.deep.equal(['look {"at":"x"}']);
    expect(recorded.of('postCall').at(-1)?.outcome).to.equal('completed');
  });

  it('run with the input that the answer gives', async () => {
    const { agent, ran, recorded } = scene({
      turns: [looks, mild],
      tools: { look: () => 'seen' },
      hooks: [asksForLook],
    });
    const asked: Any = await agent.generate('Go!');
    expect(asked.suspendPayload.suspendPayload).to.deep.include({ prompt: 'Look there?', by: 'asks' });
    await agent.resumeGenerate({ approved: true, input: { at: 'z' } }, answering(asked));
    expect(ran).to.deep.equal(['look {"at":"z"}']);
    expect(recorded.of('preCall')[1]?.run.resumedFrom).to.equal(recorded.of('preCall')[0]?.run.runId);
  });

  it('are answered by approveToolCall and declineToolCall, too', async () => {
    for (const [method, expected] of [
      ['approveToolCallGenerate', ['look {"at":"x"}']],
      ['declineToolCallGenerate', []],
    ] as const) {
      const { agent, ran } = scene({ turns: [looks, mild], tools: { look: () => 'seen' }, hooks: [asksForLook] });
      const told: Any = await agent[method](answering(await agent.generate('Go!')));
      expect([told.finishReason, ran], method).to.deep.equal(['stop', expected]);
    }
  });

  it('stay unanswered by what is no answer', async () => {
    const { agent, ran } = scene({ turns: [looks, mild], tools: { look: () => 'seen' }, hooks: [asksForLook] });
    const told: Any = await agent.resumeGenerate({ yes: 'please' }, answering(await agent.generate('Go!')));
    expect([told.finishReason, ran]).to.deep.equal(['suspended', []]);
  });

  it('are none of those that Mastra asks about by itself: a yes answers one question', async () => {
    for (const set of ['tool', 'option'] as const) {
      const toolConfig = set === 'tool' ? { requireApproval: true } : {};
      const options = set === 'option' ? { requireToolApproval: true } : {};
      const { agent, ran } = scene({
        turns: [looks, mild],
        tools: { look: () => 'seen' },
        hooks: [asksForLook],
        toolConfig,
      });
      const asked: Any = await agent.generate('Go!', options);
      const again: Any = await agent.approveToolCallGenerate({ ...options, ...answering(asked) });
      expect([again.finishReason, ran], set).to.deep.equal(['suspended', []]);
      expect(again.suspendPayload.suspendPayload).to.deep.include({ prompt: 'Look there?', by: 'asks' });
      const told: Any = await agent.approveToolCallGenerate({ ...options, ...answering(again) });
      expect([told.finishReason, ran], set).to.deep.equal(['stop', ['look {"at":"x"}']]);
    }
  });

  it('are none of those that a tool asks about by itself', async () => {
    const heard: unknown[] = [];
    const { agent, ran } = scene({
      turns: [looks, mild],
      tools: {
        look(_, { agent: { suspend, resumeData } }) {
          heard.push(resumeData);
          return resumeData ? 'seen' : suspend({ sure: '?' });
        },
      },
    });
    const asked: Any = await agent.generate('Go!');
    const told: Any = await agent.resumeGenerate({ approved: false }, answering(asked));
    expect([told.finishReason, ran.length]).to.deep.equal(['stop', 2]);
    expect(heard).to.deep.equal([undefined, { approved: false }]);
  });

  it('may be of a tool that asks by itself', async () => {
    const { agent, ran } = scene({
      turns: [looks, mild],
      tools: {
        look: (_, { agent: { suspend, resumeData } }) =>
          resumeData ? `seen ${resumeData.where}` : suspend({ where: '?' }),
      },
    });
    const asked: Any = await agent.generate('Go!');
    expect(asked.finishReason).to.equal('suspended');
    const told: Any = await agent.resumeGenerate({ where: 'there' }, answering(asked));
    expect([told.finishReason, ran.length]).to.deep.equal(['stop', 2]);
  });
});
