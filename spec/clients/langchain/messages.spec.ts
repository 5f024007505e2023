import { AIMessage, AIMessageChunk, HumanMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { expect } from 'chai';
import { createAgent } from 'langchain';
import { hookline } from '../../../lib/adapters/langchain/index.ts';
import { RawReply } from '../../../lib/adapters/langchain/raw-reply.ts';
import {
  assistantMessage,
  createPipeline,
  defineHook,
  type HookDefinition,
  type Message,
  modify,
  textOf,
  userMessage,
} from '../../../lib/index.ts';
import { modules } from './langchain-host.ts';
import { go, looksAt, lookTool, mild, scene, thread } from './scene.ts';
import { ScriptedChatModel } from './scripted-chat-model.ts';

const says = (message: Message | undefined): string => (message ? textOf(message) : '');

describe('LangChain messages', () => {
  it('reach the model as the same objects if unchanged', async () => {
    const first = new HumanMessage({
      content: [{ type: 'text', text: 'Go!', cache_control: { type: 'ephemeral' } }] as never,
    });
    const adds: HookDefinition = {
      name: 'adds',
      on: { preReasoning: (event) => modify(event, { messages: [...event.messages, userMessage('Be brief.')] }) },
    };
    const { agent, model } = scene({
      hooks: [adds],
      turns: [looksAt('x'), mild],
      tools: [lookTool('look', [])],
      agent: { systemPrompt: 'You look.', checkpointer: undefined },
    });
    const { messages } = await agent.invoke({ messages: [first] });
    const last = model.asked[1] ?? [];
    expect(last.slice(1, -1).every((one, at) => one === (messages as readonly object[])[at])).to.equal(true);
    expect(last.map((one) => one.getType())).to.deep.equal(['system', 'human', 'ai', 'tool', 'human']);
    expect(JSON.stringify(last[1]?.content)).to.include('cache_control');
  });

  it("are the model's own objects if unchanged, and contain nothing else if changed", () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'signed' },
      { type: 'text', text: 'It is mild.' },
    ];
    const raw = new AIMessage({
      content: content as never,
      additional_kwargs: { copy: 'It is mild.' },
      response_metadata: { model_provider: 'anthropic', output: ['It is mild.'] },
    });
    const reply = new RawReply();
    const chunks = reply.read({ text: '', message: raw as never });
    expect(chunks.map((chunk) => 'delta' in chunk && chunk.delta)).to.deep.equal(['Hm.', 'It is mild.']);
    const thinking = { type: 'thinking' as const, text: 'Hm.' };
    const same: Message = { role: 'assistant', parts: [thinking, { type: 'text', text: 'It is mild.' }] };
    expect(reply.settle(modules as never, same)).to.equal(raw);
    const other = reply.settle(modules as never, { role: 'assistant', parts: [{ type: 'text', text: 'Warm.' }] });
    expect(JSON.stringify(other)).to.include('Warm.').and.include('anthropic');
    expect(JSON.stringify(other)).not.to.include('mild');
  });

  it('show hooks provider data next to their content', () => {
    for (const [beside, part] of [
      [{ reasoning_content: 'Hm.' }, { type: 'thinking', delta: 'Hm.' }],
      [{ reasoning: 'Hm.' }, { type: 'thinking', delta: 'Hm.' }],
      [
        { reasoning: 'Hm.', reasoning_content: 'Hm.' },
        { type: 'thinking', delta: 'Hm.' },
      ],
      [{ thinking: 'Hm.' }, { type: 'thinking', delta: 'Hm.' }],
      [{ reasoning: { id: 'r', summary: [{ text: 'Hm.' }] } }, { type: 'thinking', delta: 'Hm.' }],
      [{ reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }, { type: 'thinking', delta: 'Hm.' }],
      [{ reasoning_details: [{ type: 'reasoning.summary', summary: 'Hm.' }] }, { type: 'thinking', delta: 'Hm.' }],
      [{ refusal: 'No.' }, { type: 'text', delta: 'No.' }],
      [{ audio: { id: 'a', transcript: 'Yes.' } }, { type: 'text', delta: 'Yes.' }],
    ] as const) {
      const reply = new RawReply();
      const message = new AIMessage({ content: '', additional_kwargs: beside as never });
      expect(reply.read({ text: '', message: message as never })).to.deep.equal([part]);
      const settled = reply.settle(modules as never, assistantMessage('***'));
      expect(JSON.stringify(settled)).not.to.include(part.delta);
    }
  });

  it('keep seen and textless provider data if hooks might change text', async () => {
    const seen = {
      parsed: { sky: 'mi"ld', warm: true },
      reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: 'c2lnbmVk' }],
      audio: { id: 'a', data: 'UklGRg==', transcript: 'Mild.' },
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{ "at": "x" }' } }],
      signatures: ['c2lnbmVk'],
      stop_sequence: 'END',
      __openai_function_call_ids__: { c1: 'fc1' },
    };
    const unseen = { tool_outputs: [{ id: 't', output: 'it is sk-secret' }], annotations: ['sk-secret'] };
    const all = { ...seen, ...unseen };
    class Beside extends ScriptedChatModel {
      override async _generate(): Promise<ChatResult> {
        const isFirst = this.asked.push([]) === 1;
        const content = JSON.stringify(seen.parsed);
        const calls = { tool_calls: [{ id: 'c1', name: 'look', args: { at: 'x' } }] };
        const beside = { additional_kwargs: { ...all } as never, response_metadata: all };
        const message = new AIMessage({ content, ...(isFirst && { ...calls, ...beside }) });
        return { generations: [{ text: content, message }] };
      }
    }
    const looks: HookDefinition = { name: 'looks', on: { postReasoning: () => {} } };
    const denies: HookDefinition = { name: 'denies', on: { preActing: () => {} } };
    for (const [hook, expected] of [
      [looks, seen],
      [denies, all],
    ] as const) {
      const pipeline = createPipeline([defineHook(hook)]);
      const agent = createAgent({
        model: new Beside([]),
        tools: [lookTool('look', [])] as never,
        middleware: [hookline(modules, pipeline, { agent: 'guest' })],
      });
      const { messages } = await agent.invoke(go as never);
      const [first] = messages.filter((message) => message.getType() === 'ai');
      expect([first?.additional_kwargs, first?.response_metadata]).to.deep.equal([expected, expected]);
      expect(JSON.stringify(messages).includes('sk-secret')).to.equal(hook === denies);
    }
  });

  it('keep no calls that hooks do not see, if hooks might change text', () => {
    const pieces = [
      { id: 'c1', name: 'look', args: '{ "at":', index: 0 },
      { args: ' "x" }', index: 0 },
      { id: 'c2', name: 'look', args: '{ "at": sk-secret', index: 1 },
    ];
    for (const isGuarded of [true, false]) {
      const reply = new RawReply(isGuarded);
      for (const piece of pieces) {
        const message = new AIMessageChunk({ content: '', tool_call_chunks: [{ ...piece, type: 'tool_call_chunk' }] });
        reply.read({ text: '', message: message as never });
      }
      const parts = reply.end().filter((chunk) => chunk.type === 'toolCall');
      expect(parts.map(({ toolCall }) => toolCall.input)).to.deep.equal([{ at: 'x' }]);
      const settled = reply.settle(modules as never, { role: 'assistant', parts });
      const invalid = settled.invalid_tool_calls;
      expect([settled.tool_calls?.length, invalid?.map(({ id }) => id)]).to.deep.equal([1, ['c2']]);
      expect(JSON.stringify([settled, invalid, settled.tool_call_chunks]).includes('sk-secret')).to.equal(!isGuarded);
      expect(settled.tool_call_chunks?.length).to.equal(isGuarded ? 1 : 2);
    }
  });

  it('are joined from chunks before the comparison', () => {
    const reply = new RawReply();
    for (const content of ['It is ', 'mild.'])
      reply.read({ text: content, message: new AIMessageChunk(content) as never });
    expect(reply.settle(modules as never, assistantMessage('It is mild.')).content).to.equal('It is mild.');
    expect(reply.end()).to.deep.equal([{ type: 'finish', finishReason: 'stop' }]);
  });

  it('are changed in the graph by preCall: replaced, appended and removed', async () => {
    const edits: HookDefinition = {
      name: 'edits',
      on: {
        preCall: (event) => {
          const kept = event.messages.filter((message) => !says(message).includes('drop'));
          const messages = kept.map((message) => (says(message) === 'Go!' ? userMessage('Go slowly!') : message));
          return modify(event, { messages: [...messages, userMessage('Thanks.')] });
        },
      },
    };
    for (const asked of [['Go!'], ['drop this', 'Go!', 'Now.']]) {
      const { agent, model } = scene({ hooks: [edits], turns: [mild] });
      const { messages } = await agent.invoke(
        { messages: asked.map((content) => ({ role: 'user', content })) },
        thread,
      );
      const expected = ['Go slowly!', ...(asked.includes('Now.') ? ['Now.'] : []), 'Thanks.', 'It is mild.'];
      expect(messages.map(({ content }) => content)).to.deep.equal(expected);
      expect(model.asked[0]?.map(({ content }) => content)).to.deep.equal(expected.slice(0, -1));
    }
  });

  it('keep their ids if preCall replaces them', async () => {
    const edits: HookDefinition = {
      name: 'edits',
      on: { preCall: (event) => modify(event, { messages: event.messages.map(() => userMessage('Go slowly!')) }) },
    };
    const { agent } = scene({ hooks: [edits], turns: [mild] });
    const input = { messages: [{ role: 'user', content: 'Go!', id: 'mine' }] };
    const updates: unknown[] = [];
    for await (const update of await agent.stream(input, { ...thread, streamMode: 'updates' })) updates.push(update);
    expect(JSON.stringify(updates[0])).to.include('Go slowly!').and.not.include('remove');
    const { messages } = (await agent.graph.getState(thread)).values;
    expect(messages.map(({ id, content }) => [id === 'mine', content])).to.deep.equal([
      [true, 'Go slowly!'],
      [false, 'It is mild.'],
    ]);
  });

  const warm: HookDefinition = {
    name: 'warm',
    on: { postReasoning: (event) => modify(event, { message: assistantMessage('It is warm.') }) },
  };

  for (const buffer of [false, true]) {
    it(`are stored as changed by postReasoning, and streamed so ${buffer ? 'with' : 'only with'} buffer`, async () => {
      const { agent } = scene({ hooks: [warm], turns: [mild], options: { buffer } });
      let screen = '';
      for await (const [message] of (await agent.stream(go, { ...thread, streamMode: 'messages' })) as AsyncIterable<
        [{ content: string }]
      >)
        screen += message.content;
      expect(screen).to.equal(buffer ? 'It is warm.' : 'It is mild.');
      const { messages } = (await agent.graph.getState(thread)).values;
      expect(messages.at(-1)?.content).to.equal('It is warm.');
    });
  }

  it('are stored with the last one as changed by postCall', async () => {
    const warmAtLast: HookDefinition = {
      name: 'warm at last',
      on: { postCall: (event) => modify(event, { message: assistantMessage('It is warm.') }) },
    };
    const { agent } = scene({ hooks: [warmAtLast], turns: [mild] });
    const { messages } = await agent.invoke(go, thread);
    expect(messages.map(({ content }) => content)).to.deep.equal(['Go!', 'It is warm.']);
  });

  it('carry changed tools and options to the model', async () => {
    const narrows: HookDefinition = {
      name: 'narrows',
      on: {
        preReasoning: (event) =>
          modify(event, {
            tools: event.tools.filter(({ name }) => name === 'look'),
            options: { ...event.options, toolChoice: 'required', provider: { temperature: 0 } },
          }),
      },
    };
    const { agent, model, recorded } = scene({
      hooks: [narrows],
      turns: [mild],
      tools: [lookTool('look', []), lookTool('peek', [])],
    });
    await agent.invoke(go, thread);
    expect(model.boundTools.map((tool) => (tool as { name: string }).name)).to.deep.equal(['look']);
    expect(model.options).to.include({ tool_choice: 'any', temperature: 0 });
    expect(recorded.of('preReasoning')[0]?.tools[0]?.inputSchema).to.have.property('required');
  });
});
