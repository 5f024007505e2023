import * as strands from '@strands-agents/sdk';
import { expect } from 'chai';
import { finish, modify, respond, textOf, userMessage } from '../../../lib/index.ts';
import { rejection } from '../../tools/rejection.ts';
import { call, scene } from './scene.ts';
import { ScriptedModel } from './scripted-model.ts';

const mild = { chunks: ['It is ', 'mild.'] };
const looks = { chunks: ['Looking.'], calls: [call('c1', 'look', { at: 'x' })] };

describe('a Strands run', () => {
  it('ends as cancelled, without a rejection, if the host is cancelled', async () => {
    const { agent, recorded } = scene({
      turns: [looks, mild],
      tools: {
        look(_, { agent: host }) {
          (host as strands.Agent).cancel();
          return 'seen';
        },
      },
    });
    expect((await agent.invoke('Go!')).stopReason).to.equal('cancelled');
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
  });

  it('ends as cancelled if its stream is abandoned', async () => {
    const { agent, recorded } = scene({ turns: [mild] });
    for await (const event of agent.stream('Go!')) if (event.type === 'modelStreamUpdateEvent') break;
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
  });

  it('is a new one if the host retries a failed model', async () => {
    const throttled = { error: new strands.ModelThrottledError('slow down') };
    const retryStrategy = new strands.DefaultModelRetryStrategy({
      maxAttempts: 2,
      backoff: new strands.ConstantBackoff({ delayMs: 0 }),
    });
    const { agent, recorded } = scene({ turns: [throttled, mild], config: { retryStrategy } });
    expect(String(await agent.invoke('Go!'))).to.equal('It is mild.');
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed', 'completed']);
    expect(recorded.of('preCall')).to.have.length(2);
  });

  it('applies hooks to each model that a router selects', async () => {
    const broken = new ScriptedModel([{ error: new strands.ModelError('not today') }]);
    const works = new ScriptedModel([{ chunks: ['It is murky.'] }]);
    const { agent, recorded } = scene({
      turns: [],
      config: { model: new strands.ModelRouter([broken, works]) },
      hooks: [
        {
          name: 'h',
          on: { reasoningChunk: (event) => modify(event, { delta: event.delta.replace('murky', 'clear') }) },
        },
      ],
    });
    expect(String(await agent.invoke('Go!'))).to.equal('It is clear.');
    expect([broken.asked.length, works.asked.length]).to.deep.equal([1, 1]);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed', 'completed']);
  });

  it('rejects with the error of its model and ends as failed', async () => {
    const error = new strands.ModelError('no such model');
    const { agent, recorded } = scene({ turns: [{ error }] });
    expect(await rejection(agent.invoke('Go!'))).to.equal(error);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
  });

  it('fails if the answer reached the token limit, like the host', async () => {
    const { agent, recorded } = scene({ turns: [{ ...mild, stopReason: 'maxTokens' }] });
    expect(await rejection(agent.invoke('Go!'))).to.be.instanceOf(strands.MaxTokensError);
    expect(recorded.of('postReasoning')[0]?.finishReason).to.equal('length');
    expect(recorded.of('postCall')[0]?.outcome).to.equal('failed');
  });

  it('has the session of the invocation and rejects unknown options', async () => {
    const { agent, recorded } = scene({ turns: [mild], options: { sessionId: 'all' } });
    await agent.invoke('Go!', { invocationState: { hookline: { sessionId: 'mine', userId: 'me' } } });
    expect(recorded.of('preCall')[0]?.run).to.include({ sessionId: 'mine', userId: 'me' });
    const wrong = await rejection(agent.invoke('Go!', { invocationState: { hookline: { sesionId: 'x' } } }));
    expect(wrong.message).to.include('sessionId');
  });

  it("ends after the tools with the host's own message if a hook finishes", async () => {
    const { agent, model } = scene({
      turns: [looks],
      tools: { look: () => 'seen' },
      hooks: [{ name: 'h', on: { postActing: (event) => finish(event) } }],
    });
    const { stopReason, lastMessage } = await agent.invoke('Go!');
    expect([stopReason, lastMessage?.role, model.asked.length]).to.deep.equal(['endTurn', 'assistant', 1]);
  });

  it('alternates user and assistant for any additions, and keeps unchanged messages', async () => {
    const { agent, model } = scene({
      turns: [looks, mild],
      tools: { look: () => 'seen' },
      hooks: [
        {
          name: 'h',
          on: { preCall: (event) => modify(event, { messages: [...event.messages, userMessage('Be brief.')] }) },
        },
      ],
    });
    await agent.invoke('Go!');
    for (const { messages } of model.asked) {
      expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'user'].slice(0, messages.length));
      expect(JSON.stringify(messages[0])).to.include('Go!').and.to.include('Be brief.');
    }
    expect(agent.messages[0]?.content).to.have.length(1);
  });

  it('keeps the parts next to a text changed by a hook', async () => {
    const document = new strands.DocumentBlock({ name: 'a', format: 'pdf', source: { bytes: new Uint8Array([1, 2]) } });
    const { agent, model } = scene({
      turns: [mild],
      hooks: [
        {
          name: 'h',
          on: {
            preCall: (event) =>
              modify(event, {
                messages: event.messages.map((message) => ({
                  ...message,
                  parts: message.parts.map((part) => (part.type === 'text' ? { ...part, text: 'changed' } : part)),
                })),
              }),
          },
        },
      ],
    });
    await agent.invoke([new strands.TextBlock('raw'), document]);
    const [text, kept] = model.asked[0]?.messages[0]?.content ?? [];
    expect([JSON.stringify(text), kept]).to.deep.equal(['{"text":"changed"}', agent.messages[0]?.content[1]]);
  });

  it('changes the system prompt and the tools of a request as hooks do', async () => {
    const { agent, model } = scene({
      turns: [mild],
      tools: { look: () => 'seen', peek: () => 'peeked' },
      config: { systemPrompt: 'Be kind.' },
      hooks: [
        {
          name: 'h',
          on: {
            preReasoning: (event) => {
              const [system, ...rest] = event.messages;
              const messages = [
                { ...system!, parts: [{ type: 'text' as const, text: `${textOf(system)} Be brief.` }] },
                ...rest,
              ];
              const options = { ...event.options, toolChoice: 'required' as const, temperature: 0 };
              return modify(event, { messages, tools: event.tools.slice(1), options });
            },
          },
        },
      ],
    });
    await agent.invoke('Go!');
    const { systemPrompt, toolSpecs, toolChoice } = model.asked[0]!.options as { [option: string]: unknown };
    expect(systemPrompt).to.equal('Be kind. Be brief.');
    expect((toolSpecs as strands.Tool[]).map(({ name }) => name)).to.deep.equal(['peek']);
    expect(toolChoice).to.deep.equal({ any: {} });
  });

  it('keeps the signature of unchanged thinking and drops that of changed thinking', async () => {
    const thought = { text: 'Hm.', signature: 'signed' };
    const of = async (delta?: string) => {
      const { agent } = scene({
        turns: [{ thought, ...mild }],
        hooks: delta
          ? [
              {
                name: 'h',
                on: { reasoningChunk: (event) => (event.part === 'thinking' ? modify(event, { delta }) : undefined) },
              },
            ]
          : [],
      });
      return JSON.stringify((await agent.invoke('Go!')).lastMessage);
    };
    expect(await of())
      .to.include('"signature":"signed"')
      .and.to.include('Hm.');
    expect(await of('Ha.')).not.to.include('signed');
  });

  it('lets a guardrail of the provider replace the answer and hides the original', async () => {
    const event = {
      type: 'modelRedactionEvent',
      outputRedaction: { redactedContent: 'It is mild.', replaceContent: '[removed]' },
    };
    const { agent } = scene({ turns: [{ ...mild, events: [event], stopReason: 'guardrailIntervened' }] });
    const seen: string[] = [];
    for await (const one of agent.stream('Go!'))
      if (JSON.stringify(one).includes('edaction')) seen.push(JSON.stringify(one));
    expect(seen).to.have.length(1);
    expect(seen[0]).to.include('[removed]').and.not.to.include('mild');
    expect(JSON.stringify(agent.messages)).to.include('[removed]').and.not.to.include('mild');
  });

  it('shows only settled text, with buffer', async () => {
    const { agent } = scene({
      turns: [mild],
      options: { buffer: true },
      hooks: [
        {
          name: 'h',
          on: {
            postReasoning: (event) =>
              modify(event, { message: { role: 'assistant', parts: [{ type: 'text', text: 'Warm.' }] } }),
          },
        },
      ],
    });
    let told = '';
    for await (const event of agent.stream('Go!')) told += JSON.stringify(event);
    expect(told).to.include('Warm.').and.not.to.include('mild');
  });

  it('may answer instead of a resumed run, which then runs no calls', async () => {
    let answering = false;
    const { agent, ran } = scene({
      turns: [looks, mild],
      tools: { look: () => 'seen' },
      hooks: [
        { name: 'asks', approve: () => ({ action: 'suspend', prompt: 'May I?' }) as never },
        { name: 'answers', on: { preCall: (event) => (answering ? respond(event, 'Not now.') : undefined) } },
      ],
    });
    const { interrupts = [] } = await agent.invoke('Go!');
    answering = true;
    const yes = interrupts.map(({ id }) => ({ interruptResponse: { interruptId: id, response: true } }));
    expect([String(await agent.invoke(yes as never)), ran]).to.deep.equal(['Not now.', []]);
  });
});
