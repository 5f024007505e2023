import './no-telemetry.ts';
import { Agent } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { expect } from 'chai';
import { hookedMastra } from '../../../lib/adapters/mastra/index.ts';
import { createPipeline, defineTool, deny, modify } from '../../../lib/index.ts';
import { recorder } from '../../../lib/testing/index.ts';
import { rejection } from '../../tools/rejection.ts';
import { scriptedLanguageModel } from '../ai-sdk/scripted-language-model.ts';
import { type Any, call, scene } from './scene.ts';

const mild = { chunks: ['It is ', 'mild.'] };
const looks = { chunks: ['Looking.'], calls: [call('c1', 'look', { at: 'x' })] };

describe('a Mastra run', () => {
  it('rejects with the error of its model, after one request', async () => {
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

  it('is separate for each invocation, also for concurrent ones in one context', async () => {
    const { agent, recorded } = scene({ turns: [mild, mild, mild] });
    const requestContext = new RequestContext([['place', 'here']]);
    const go = (sessionId: string) => agent.generate('Go!', { requestContext, hookline: { sessionId } });
    await Promise.all([go('a'), go('b')]);
    await go('c');
    const sessions = recorded.of('postCall').map(({ run }) => run.sessionId);
    expect(sessions.sort()).to.deep.equal(['a', 'b', 'c']);
  });

  it('ends once for any reader of its stream, up to any point', async () => {
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

  it('keeps objects, and emits progress and results as settled by hooks', async () => {
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

  it('has the tools of hooks', async () => {
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

  it('requires no tools', async () => {
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

  it('returns the reason of a denial to the model and runs concurrent calls', async () => {
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

  it('respects the default options of its agent: signal, context and callbacks', async () => {
    const stop = new AbortController();
    const heard: string[] = [];
    const contexts: unknown[] = [];
    const defaultOptions = {
      abortSignal: stop.signal,
      requestContext: new RequestContext([['place', 'here']]),
      modelSettings: { temperature: 0.5 },
      onFinish: () => void heard.push('finish'),
      onAbort: () => void heard.push('abort'),
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
      ['finish', 'abort'],
      ['here', 'here'],
    ]);
  });
});
