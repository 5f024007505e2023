import { expect } from 'chai';
import {
  defineHook,
  eventTypes,
  type HookEvent,
  HookPriority,
  modify,
  type SettledEvent,
  systemMessage,
  textOf,
} from 'hookline';
import { recorder, scriptedTool } from 'hookline/testing';
import { stage } from './scene.ts';

const weather = () => scriptedTool({ name: 'weather', chunks: ['asking ', 'the sky'], result: 'sunny' });
const turns = [
  {
    thinking: 'I should look',
    toolCalls: [{ name: 'weather', input: { city: 'Bern' } }],
    usage: { inputTokens: 9, outputTokens: 3 },
  },
  { chunks: ['It is ', 'sunny.'], usage: { inputTokens: 20, outputTokens: 4 } },
];

describe('AgentScope chapter 16.1 to 16.3: events and registration', () => {
  it('runs the stages of the diagram, each Pre before its step and each Post after it', () => {
    const { run } = stage({ turns, tools: [weather()] });
    expect(run('How is the weather?').lines()).to.deep.equal([
      'preCall "How is the weather?"',
      'preReasoning',
      'reasoningChunk thinking "I should look"',
      'reasoningChunk thinking last',
      'postReasoning call_1 weather {"city":"Bern"}',
      'preActing call_1 weather {"city":"Bern"}',
      'actingChunk call_1 "asking "',
      'actingChunk call_1 "the sky"',
      'actingChunk call_1 last',
      'postActing call_1 executed "sunny"',
      'preReasoning',
      'reasoningChunk "It is "',
      'reasoningChunk "sunny."',
      'reasoningChunk last',
      'postReasoning "It is sunny."',
      'postCall completed "It is sunny."',
    ]);
  });

  it('has a sealed set of nine events, as in the chapter', () => {
    expect(eventTypes).to.deep.equal([
      'preCall',
      'preReasoning',
      'reasoningChunk',
      'postReasoning',
      'preActing',
      'actingChunk',
      'postActing',
      'postCall',
      'error',
    ]);
  });

  describe("every field of the chapter's table", () => {
    const seen = recorder();
    const instructions = 'Be brief.';
    before(() => {
      const { run } = stage({
        turns: [...turns, { error: 'quota' }],
        hooks: [seen],
        tools: [weather()],
        instructions,
        modelOptions: { temperature: 0.5 },
      });
      run('Weather?');
      run('Again?');
    });

    it("preCall: the agent's name and, in the context, its memory", () => {
      const memory: number[] = [];
      const look = defineHook({
        name: 'look',
        on: { preCall: (_, { transcript }) => void memory.push(transcript.length) },
      });
      const { run } = stage({ turns: ['one', 'two'], hooks: [look] });
      run('first');
      run('second');
      expect(memory).to.deep.equal([0, 2]);
      expect(seen.of('preCall')[0]?.run.agent).to.equal('MyAgent');
    });

    it('preReasoning: input messages, model name and the current options', () => {
      const [first] = seen.of('preReasoning');
      expect(first?.messages.map(textOf)).to.deep.equal([instructions, 'Weather?']);
      expect(first?.model).to.equal('scripted');
      expect(first?.options).to.deep.equal({ temperature: 0.5 });
      expect(first?.tools.map(({ name }) => name)).to.deep.equal(['weather']);
    });

    it('reasoningChunk: the increment, and whether it is the last of its block', () => {
      const texts = seen.of('reasoningChunk').filter(({ part }) => part === 'text');
      expect(texts.map(({ delta, last }) => [delta, last])).to.deep.equal([
        ['It is ', false],
        ['sunny.', false],
        ['', true],
      ]);
    });

    it('postReasoning: the response and its usage', () => {
      const [, second] = seen.of('postReasoning');
      expect(textOf(second?.message)).to.equal('It is sunny.');
      expect(second?.usage).to.deep.equal({ inputTokens: 20, outputTokens: 4 });
    });

    it('preActing and postActing: the call with name and input, the result', () => {
      expect(seen.of('preActing')[0]?.toolCall).to.deep.include({ name: 'weather', input: { city: 'Bern' } });
      expect(seen.of('postActing')[0]?.toolCall).to.deep.include({ name: 'weather', input: { city: 'Bern' } });
      expect(seen.of('postActing')[0]?.result).to.deep.equal({ content: 'sunny', isError: false });
    });

    it("actingChunk: the tool's report, and its call", () => {
      expect(seen.of('actingChunk').map(({ toolCall, content }) => [toolCall.id, content])).to.deep.equal([
        ['call_1', 'asking '],
        ['call_1', 'the sky'],
        ['call_1', ''],
      ]);
    });

    it('postCall: the final response', () => {
      expect(textOf(seen.of('postCall')[0]?.message)).to.equal('It is sunny.');
    });

    it('error: the error and its message', () => {
      expect(seen.of('error')[0]).to.deep.include({ phase: 'reasoning', source: 'model' });
      expect(seen.of('error')[0]?.error).to.deep.include({ name: 'Error', message: 'quota' });
    });
  });

  describe('changeable fields', () => {
    const change = (on: NonNullable<Parameters<typeof defineHook>[0]['on']>) => {
      const tool = scriptedTool({ name: 'weather', result: 'sunny' });
      const scene = stage({ turns, tools: [tool], hooks: [defineHook({ name: 'changer', on })] });
      return { ...scene, tool, played: scene.run('Weather?') };
    };

    it('preReasoning.messages: the model receives them', () => {
      const { asked } = change({
        preReasoning: (event) => modify(event, { messages: [systemMessage('Rhyme.'), ...event.messages] }),
      });
      expect(asked(0)).to.deep.equal(['system: Rhyme.', 'user: Weather?']);
    });

    it('postReasoning.message: it is stored', () => {
      const { remembered } = change({
        postReasoning: (event) =>
          event.finishReason === 'stop'
            ? modify(event, { message: { role: 'assistant', parts: [{ type: 'text', text: 'changed' }] } })
            : undefined,
      });
      expect(remembered().at(-1)).to.equal('assistant: changed');
    });

    it('preActing.toolCall: the tool receives it', () => {
      const { tool } = change({
        preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { city: 'Basel' } } }),
      });
      expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ city: 'Basel' }]);
    });

    it('postActing.result: the model receives it', () => {
      const { asked } = change({
        postActing: (event) => modify(event, { result: { content: 'rainy', isError: false } }),
      });
      expect(asked(1).at(-1)).to.equal('tool: [rainy]');
    });

    it('postCall.message: the caller receives it', () => {
      const { played } = change({
        postCall: (event) => modify(event, { message: { role: 'assistant', parts: [{ type: 'text', text: 'bye' }] } }),
      });
      expect(textOf(played.post.message)).to.equal('bye');
    });

    it('beyond the chapter, preCall.messages and chunks are changeable too', () => {
      const { asked, played } = change({
        preCall: (event) =>
          modify(event, { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Weather today?' }] }] }),
        reasoningChunk: (event) => modify(event, { delta: event.delta.toUpperCase() }),
      });
      expect(asked(0)).to.deep.equal(['user: Weather today?']);
      expect(textOf(played.post.message)).to.equal('IT IS SUNNY.');
    });
  });

  it('16.3.1: the logging hook writes its lines in order', () => {
    const lines: string[] = [];
    const logging = defineHook({
      name: 'logging',
      priority: HookPriority.LOGGING,
      observe(event: SettledEvent<HookEvent>) {
        if (event.type === 'preCall') lines.push(`[start] ${event.run.agent}`);
        if (event.type === 'preReasoning') lines.push(`[reason] ${event.messages.length} messages`);
        if (event.type === 'reasoningChunk' && event.part === 'text' && !event.last) lines.push(event.delta);
        if (event.type === 'preActing') lines.push(`[tool] ${event.toolCall.name}`);
        if (event.type === 'postActing') lines.push(`[tool] ${event.toolCall.name} done`);
        if (event.type === 'postCall') lines.push(`[done] ${textOf(event.message).length} characters`);
        if (event.type === 'error') lines.push(`[error] ${event.error.message}`);
      },
    });
    const { run } = stage({ turns: [...turns, { error: 'quota' }], hooks: [logging], tools: [weather()] });
    run('Weather?');
    run('Again?');
    expect(lines).to.deep.equal([
      '[start] MyAgent',
      '[reason] 1 messages',
      '[tool] weather',
      '[tool] weather done',
      '[reason] 3 messages',
      'It is ',
      'sunny.',
      '[done] 12 characters',
      '[start] MyAgent',
      '[reason] 5 messages',
      '[error] quota',
      '[done] 0 characters',
    ]);
  });

  it('16.3.2: hooks are registered at the creation of the agent, or later', () => {
    const [early, late] = [recorder('early'), recorder('late')];
    const { agent, run } = stage({ turns: ['one', 'two', 'three'], hooks: [early] });
    run();
    const undo = agent.addHook(late);
    run();
    undo();
    run();
    expect(early.of('postCall')).to.have.length(3);
    expect(late.of('postCall').map(({ message }) => textOf(message))).to.deep.equal(['two']);
  });
});
