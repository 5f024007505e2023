import { expect } from 'chai';
import { createAgent, createPipeline, defineHook, memoryTranscript, textOf, userMessage } from '../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../lib/testing/index.ts';

const look = scriptedTool({ name: 'look', result: 'seen' });
const seeing = (name: string, seen: string[]) => defineHook({ name, on: { preCall: () => void seen.push(name) } });

describe('the options of one run', () => {
  it('may add hooks and their tools for that run only', async () => {
    const seen: string[] = [];
    const model = scriptedModel(['One.', 'Two.']);
    const agent = createAgent({ name: 'a', model, pipeline: createPipeline([seeing('always', seen)]) });
    const once = defineHook({ name: 'once', tools: [look], on: { preCall: () => void seen.push('once') } });
    await agent.call('go', { hooks: [once] });
    await agent.call('go');
    expect(seen).to.deep.equal(['always', 'once', 'always']);
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).to.deep.equal([['look'], []]);
  });

  it('throw at once for a duplicate hook or tool name', () => {
    const seen: string[] = [];
    const pipeline = createPipeline([seeing('always', seen)]);
    const agent = createAgent({ name: 'a', model: scriptedModel([]), tools: [look], pipeline });
    const tools = defineHook({ name: 'tools', tools: [scriptedTool({ name: 'look' })] });
    for (const hook of [seeing('always', seen), tools])
      expect(() => agent.run('go', { hooks: [hook] }))
        .to.throw()
        .with.property('code', 'HOOK_DUPLICATE');
  });

  it('may store the conversation of the run elsewhere', async () => {
    const transcript = memoryTranscript();
    const elsewhere = memoryTranscript();
    elsewhere.append('s', [userMessage('before')]);
    const model = scriptedModel(['Hello.']);
    const agent = createAgent({ name: 'a', model, transcript });
    await agent.call('go', { sessionId: 's', transcript: elsewhere });
    expect(transcript.sessions.size).to.equal(0);
    expect(elsewhere.sessions.get('s')?.map(textOf)).to.deep.equal(['before', 'go', 'Hello.']);
    expect(model.requests[0]?.messages.map(textOf)).to.deep.equal(['before', 'go']);
  });
});
