import { expect } from 'chai';
import * as langchain from 'langchain';
import { go, looksAt, lookTool, mild, scene, thread } from './scene.ts';
import { ScriptedChatModel } from './scripted-chat-model.ts';

describe('hooks on LangChain models', () => {
  it('use a model with bound options, and the tools of the agent', async () => {
    const model = new ScriptedChatModel([looksAt('x'), mild]);
    const bound = model.withConfig({ temperature: 0, tags: ['mine'] } as never);
    const { agent, recorded } = scene({ turns: [], tools: [lookTool('look', [])], agent: { model: bound } });
    expect((await agent.invoke(go, thread)).messages.at(-1)?.content).to.equal('It is mild.');
    expect(model.options).to.include({ temperature: 0 }).and.not.have.property('tags');
    expect(model.boundTools).to.have.length(1);
    expect(recorded.of('postReasoning')).to.have.length(2);
  });

  it('use a model that is selected at request time', async () => {
    const model = new ScriptedChatModel([looksAt('x'), mild]);
    const late = Object.assign(new ScriptedChatModel([]), {
      _queuedMethodOperations: {},
      bindTools: (tools: unknown[], options: object) => ({
        _getModelInstance: async () => model.bindTools(tools, options),
      }),
    });
    const { agent, recorded } = scene({ turns: [], tools: [lookTool('look', [])], agent: { model: late } });
    expect((await agent.invoke(go, thread)).messages.at(-1)?.content).to.equal('It is mild.');
    expect([model.boundTools.length, recorded.of('postReasoning').length]).to.deep.equal([1, 2]);
  });

  it('use the test model of LangChain', async () => {
    const model = langchain.fakeModel().respond(new langchain.AIMessage('It is mild.'));
    const { agent, recorded } = scene({ turns: [], agent: { model } });
    expect((await agent.invoke(go, thread)).messages.at(-1)?.content).to.equal('It is mild.');
    expect(recorded.of('postCall')[0]?.outcome).to.equal('completed');
  });

  it('keep the model name in tracers', async () => {
    const started: unknown[] = [];
    const handleChatModelStart = (...told: readonly unknown[]): void => void started.push(told[0]);
    const { agent } = scene({ turns: [mild] });
    await agent.invoke(go, { ...thread, callbacks: [{ name: 'names', awaitHandlers: true, handleChatModelStart }] });
    expect(JSON.stringify(started)).to.include('ScriptedChatModel');
  });

  it('report its tokens', async () => {
    const { agent, recorded } = scene({ turns: [looksAt('x'), mild], tools: [lookTool('look', [])] });
    const { messages } = await agent.invoke(go, thread);
    expect(recorded.of('postCall')[0]?.usage).to.deep.equal({ inputTokens: 6, outputTokens: 4 });
    expect(messages.at(-1)).to.have.property('usage_metadata').that.includes({ input_tokens: 3 });
  });
});
