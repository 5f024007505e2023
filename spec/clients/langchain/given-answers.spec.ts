import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult, type LLMResult } from '@langchain/core/outputs';
import { expect } from 'chai';
import { type HookDefinition, modify } from '../../../lib/index.ts';
import { go, scene, thread } from './scene.ts';
import { ScriptedChatModel } from './scripted-chat-model.ts';

const secret = ['sword', 'fish'].join('');

const content = [
  { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk', index: 0 },
  { type: 'server_tool_use', id: 's1', name: 'search', input: { for: secret }, index: 1 },
  { type: 'text', text: `It is ${secret}.`, annotations: [{ type: 'citation', url: 'https://example.com' }], index: 2 },
];
const logprobs = { content: [{ token: 'It is ' }, { token: secret }, { token: '.' }] };
const generationInfo = { finish_reason: 'stop', logprobs };

/** A model with more data than its answer, whole or in chunks. */
class Telling extends ScriptedChatModel {
  override async _generate(): Promise<ChatResult> {
    const message = new AIMessage({ content: structuredClone(content) as never });
    const tokenUsage = { totalTokens: 5 };
    return { generations: [{ text: '', message, generationInfo }], llmOutput: { tokenUsage, raw: secret } };
  }

  override async *_streamResponseChunks(): AsyncGenerator<ChatGenerationChunk> {
    for (const block of structuredClone(content))
      yield new ChatGenerationChunk({ text: '', message: new AIMessageChunk({ content: [block] as never }) });
    yield new ChatGenerationChunk({ text: '', message: new AIMessageChunk(''), generationInfo });
  }
}

/** The handler data of the answer and the content of a message stream. */
async function told(hooks: readonly HookDefinition[], streamed: boolean) {
  const ends: LLMResult[] = [];
  const handler = { name: 'ends', awaitHandlers: true, handleLLMEnd: (end: LLMResult) => void ends.push(end) };
  const { agent } = scene({ hooks, turns: [], agent: { model: new Telling([]) } });
  const config = { ...thread, callbacks: [handler] };
  const shown: BaseMessage[] = [];
  if (!streamed) await agent.invoke(go, config);
  else
    for await (const part of await agent.stream(go, { ...config, streamMode: 'messages' }))
      shown.push((part as [BaseMessage])[0]);
  return { end: ends[0] as LLMResult, shown };
}

const watches: HookDefinition = { name: 'watches', on: { preReasoning: () => undefined, preActing: () => undefined } };
const leaves: HookDefinition = { name: 'leaves', on: { postReasoning: () => undefined } };
const redacts: HookDefinition = {
  name: 'redacts',
  on: { reasoningChunk: (event) => modify(event, { delta: event.delta.replaceAll(secret, 'gone') }) },
};

describe('handler data of an answer in LangChain', () => {
  it('includes all model data if hooks do not change answers', async () => {
    const { end } = await told([watches], false);
    expect(end.generations[0]?.[0]?.generationInfo).to.deep.equal(generationInfo);
    expect(end.llmOutput).to.deep.equal({ tokenUsage: { totalTokens: 5 }, raw: secret });
  });

  it('includes data that hooks have seen, if they leave it alone', async () => {
    const { end } = await told([leaves], false);
    expect(end.generations[0]?.[0]?.generationInfo).to.deep.equal(generationInfo);
    expect(end.llmOutput).to.deep.include({ tokenUsage: { totalTokens: 5 } });
  });

  it('includes only finish reason and tokens if hooks change the answer', async () => {
    for (const streamed of [false, true]) {
      const { end } = await told([redacts], streamed);
      expect(end.generations[0]?.[0]?.generationInfo).to.deep.equal({ finish_reason: 'stop' });
      if (!streamed) expect(end.llmOutput).to.deep.equal({ tokenUsage: { totalTokens: 5 } });
      expect(JSON.stringify(end)).not.to.include(secret);
    }
  });
});

describe('a LangChain message stream', () => {
  it('has the original blocks of the model if hooks do not change answers', async () => {
    const { shown } = await told([watches], true);
    expect(shown.flatMap((one) => (typeof one.content === 'string' ? [] : one.content))).to.deep.equal(content);
  });

  it('has only text that passed the hooks, if they might change it', async () => {
    const { shown } = await told([redacts], true);
    expect(JSON.stringify(shown)).to.include('It is gone.').and.not.include(secret);
  });

  it('has only what hooks see if one redacts or may answer for a failing model', async () => {
    for (const hook of [{ redact: (said: string) => said }, { on: { error: () => undefined } }]) {
      const { shown } = await told([{ name: 'hook', ...hook }], true);
      expect(JSON.stringify(shown)).to.include('It is').and.not.include('server_tool_use');
    }
  });
});
