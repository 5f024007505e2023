import { expect } from 'chai';
import { from } from 'rxjs';
import { isDeepFrozen } from '../../lib/events/values/deep-freeze.ts';
import {
  abort,
  createAgent,
  defineHook,
  finish,
  type ModelChunk,
  memoryTranscript,
  respond,
  retry,
  type SettledEvent,
  type ToolResult,
  textOf,
} from '../../lib/index.ts';
import { marbles, recorder, scriptedTool } from '../../lib/testing/index.ts';
import { show, stage } from '../acceptance/scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const look = () => scriptedTool({ name: 'look', result: 'seen' });
const done = (content: string, own: Partial<ToolResult> = {}): ToolResult => ({ content, isError: false, ...own });

describe('the loop', () => {
  it('sends the whole conversation, with results in call order for any order of arrival', () => {
    marbles(({ agent, model, tool, at }) => {
      const script = model([{ toolCalls: [call('slow'), call('quick')] }, 'ok']);
      const transcript = memoryTranscript();
      const tools = [tool({ name: 'slow', result: 'S', delayMs: 9 }), tool({ name: 'quick', result: 'Q', delayMs: 1 })];
      agent({ model: script, tools, transcript }).run('go', { sessionId: 's' }).subscribe();
      at(20, () => {
        expect(show(script.requests[1]?.messages ?? []).at(-1)).to.equal('tool: [S] [Q]');
        expect(show(transcript.sessions.get('s') ?? [])[2]).to.equal('tool: [S] [Q]');
      });
    });
  });

  it('runs up to toolConcurrency calls concurrently, four by default', () => {
    for (const [own, expected] of [
      [{}, [4, 2]],
      [{ toolConcurrency: 5 }, [5, 1]],
    ] as const) {
      marbles(({ agent, tool, at }) => {
        const slow = tool({ name: 'look', result: 'seen', delayMs: 10 });
        const busy = agent({
          model: [{ toolCalls: Array.from({ length: 6 }, () => call('look')) }, 'ok'],
          tools: [slow],
          parallel: 'all',
          ...own,
        });
        busy.run('go').subscribe();
        at(5, () => expect(slow.calls).to.have.length(expected[0]));
        at(15, () => expect(slow.calls).to.have.length(6));
      });
    }
  });

  it('cancels the siblings of an aborted call and starts no other', () => {
    marbles(({ agent, tool, at, scheduler }) => {
      const seen = recorder();
      const guard = defineHook({
        name: 'guard',
        on: { actingChunk: (event) => (event.content === 'bad' ? abort(event, 'bad') : undefined) },
      });
      const bad = tool({ name: 'bad', marbles: '---b', values: { b: 'bad' } });
      const slow = tool({ name: 'slow', never: true });
      const last = tool({ name: 'last', result: 'never' });
      const busy = agent({
        model: [{ toolCalls: [call('bad'), call('slow'), call('last')] }],
        tools: [bad, slow, last],
        hooks: [guard, seen],
        toolConcurrency: 2,
        parallel: 'all',
      });
      busy.run('go').subscribe();
      at(9, () => {
        expect(scheduler.frame).to.equal(9);
        expect(slow.calls.map(({ state }) => state)).to.deep.equal(['cancelled']);
        expect(last.calls).to.be.empty;
        const outcomes = seen.of('postActing').map(({ toolCall, outcome }) => `${toolCall.name} ${outcome}`);
        expect(outcomes).to.have.members(['bad cancelled', 'slow cancelled', 'last skipped']);
        expect(seen.of('postCall').map(({ outcome, reason }) => [outcome, reason])).to.deep.equal([
          ['aborted', 'hook "guard": bad'],
        ]);
      });
    });
  });

  it('emits the aborting chunk before its consequences and loses no event', () => {
    marbles(({ agent, tool, at }) => {
      const heard: SettledEvent[] = [];
      const guard = defineHook({
        name: 'guard',
        on: { actingChunk: (event) => (event.content === 'bad' ? abort(event, 'bad') : undefined) },
      });
      const bad = tool({ name: 'bad', marbles: '---b', values: { b: 'bad' } });
      const slow = tool({ name: 'slow', never: true });
      const busy = agent({ model: [{ toolCalls: [call('bad'), call('slow')] }], tools: [bad, slow], hooks: [guard] });
      busy.run('go').subscribe((event) => heard.push(event as SettledEvent));
      at(9, () => {
        expect(heard.map(({ seq }) => seq)).to.deep.equal(heard.map((_, nth) => nth));
        const types = heard.map(({ type }) => type);
        expect(types.slice(types.indexOf('actingChunk'))).to.deep.equal([
          'actingChunk',
          'postActing',
          'postActing',
          'postCall',
        ]);
      });
    });
  });

  it('prefers an abort over a finish in a batch', () => {
    const guard = defineHook({
      name: 'guard',
      on: { postActing: (event) => (event.toolCall.id === 'call_1' ? finish(event) : abort(event, 'no')) },
    });
    const { run } = stage({ turns: [{ toolCalls: [call('look'), call('look')] }], tools: [look()], hooks: [guard] });
    expect(run().post.outcome).to.equal('aborted');
  });

  it('ends after a batch only if all its results are handled', () => {
    const tools = [
      scriptedTool({ name: 'show', result: done('shown', { handled: true }) }),
      scriptedTool({ name: 'look', result: 'seen' }),
    ];
    const turns = [
      { toolCalls: [call('show'), call('look')] },
      { toolCalls: [call('show'), call('show')] },
      'never asked',
    ];
    const { run, model } = stage({ turns, tools });
    const { post } = run();
    expect([post.outcome, post.message, model.requests.length]).to.deep.equal(['finished', undefined, 2]);
  });

  it('requests a summary without tools when the iterations are used up', () => {
    const { run, model, asked, remembered } = stage({
      turns: [{ toolCalls: [call('look')] }, 'so far so good'],
      tools: [look()],
      maxIterations: 1,
      instructions: 'Be brief.',
    });
    const { post, of: typed } = run();
    expect([post.outcome, textOf(post.message)]).to.deep.equal(['exhausted', 'so far so good']);
    expect(typed('preReasoning').map(({ purpose }) => purpose)).to.deep.equal(['step', 'summary']);
    expect(model.requests[1]?.tools).to.deep.equal([]);
    expect(model.requests[1]?.messages.at(-1)?.origin).to.equal('hookline');
    expect(asked(1)[0]).to.equal('system: Be brief.');
    expect(remembered()).to.deep.equal([
      'user: go',
      'assistant: [look {}]',
      'tool: [seen]',
      'assistant: so far so good',
    ]);
  });

  for (const instructions of ['', 'Be brief.']) {
    it(`sends messages already frozen, ${instructions === '' ? 'without instructions' : 'with instructions'}`, () => {
      const { run } = stage({
        turns: [{ toolCalls: [call('look')] }, 'so far so good'],
        tools: [look()],
        maxIterations: 1,
        instructions,
      });
      const asked = run().of('preReasoning');
      expect(asked.map(({ messages }) => isDeepFrozen(messages))).to.deep.equal([true, true]);
      const everything = (value: unknown): unknown[] =>
        typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(everything)] : [];
      expect(everything(asked).filter((value) => !Object.isFrozen(value))).to.deep.equal([asked]);
    });
  }

  it('keeps the first summary when a hook requests another', () => {
    const again = defineHook({
      name: 'again',
      on: {
        postReasoning: (event) =>
          event.purpose === 'summary' && textOf(event.message) === 'bad' ? retry(event, 'better') : undefined,
      },
    });
    const turns = [{ toolCalls: [call('look')] }, 'bad', 'good'];
    const { run, remembered } = stage({ turns, tools: [look()], maxIterations: 1, hooks: [again] });
    expect(textOf(run().post.message)).to.equal('good');
    expect(remembered().slice(3)).to.deep.equal(['assistant: bad', 'user: better', 'assistant: good']);
  });

  it('ends at an abort of the summary and stores the streamed text', () => {
    const guard = defineHook({
      name: 'guard',
      on: { postReasoning: (event) => (event.purpose === 'summary' ? abort(event, 'no') : undefined) },
    });
    const { run, remembered } = stage({
      turns: [{ toolCalls: [call('look')] }, 'the sum'],
      tools: [look()],
      maxIterations: 1,
      hooks: [guard],
    });
    expect(run().post.outcome).to.equal('aborted');
    expect(remembered().at(-1)).to.equal('assistant: the sum');
  });

  it('counts iterations from 1, retries included, and 0 before the first', () => {
    const again = defineHook({
      name: 'again',
      on: { postReasoning: (event) => (event.iteration === 1 ? retry(event) : undefined) },
    });
    const { of: typed, events } = stage({ turns: ['a', 'b'], hooks: [again] }).run();
    expect(events[0]?.iteration).to.equal(0);
    expect(typed('preReasoning').map(({ iteration }) => iteration)).to.deep.equal([1, 2]);
    expect(typed('postCall')[0]?.iteration).to.equal(2);
  });

  it('sums the usage of every model step, retries and summaries included', () => {
    const usage = { inputTokens: 2, outputTokens: 1 };
    const again = defineHook({
      name: 'again',
      on: { postReasoning: (event) => (event.iteration === 1 ? retry(event) : undefined) },
    });
    const { run } = stage({
      turns: [
        { text: 'a', usage },
        { toolCalls: [call('look')], usage },
        { text: 'c', usage },
      ],
      tools: [look()],
      hooks: [again],
      maxIterations: 2,
    });
    expect(run().post).to.deep.include({ outcome: 'exhausted', usage: { inputTokens: 6, outputTokens: 3 } });
  });

  it('ends without a loop if a hook answers the call, and stores input and answer', () => {
    const greet = defineHook({ name: 'greet', on: { preCall: (event) => respond(event, 'hello') } });
    const { run, remembered } = stage({ turns: [], hooks: [greet] });
    expect(run('hi').lines()).to.deep.equal(['preCall "hi" => respond "hello" by greet', 'postCall responded "hello"']);
    expect(remembered()).to.deep.equal(['user: hi', 'assistant: hello']);
  });

  it('ends as responded, without a model request, if a hook answers the request', () => {
    const greet = defineHook({ name: 'greet', on: { preReasoning: (event) => respond(event, 'hello') } });
    const { run, model } = stage({ turns: [], hooks: [greet] });
    expect(run('hi').post).to.deep.include({ outcome: 'responded' });
    expect(model.requests).to.be.empty;
  });

  it('treats an answer of an around like the model’s own', () => {
    const answer = defineHook({
      name: 'answer',
      around: { reasoning: () => from<ModelChunk[]>([{ type: 'text', delta: 'cached' }]) },
    });
    const { run, model } = stage({ turns: [], hooks: [answer] });
    const { post } = run();
    expect([post.outcome, textOf(post.message)]).to.deep.equal(['completed', 'cached']);
    expect(model.requests).to.be.empty;
  });

  it('runs ten thousand iterations without a promise and without a growing stack', () => {
    let asked = 0;
    const agent = createAgent({
      name: 'tireless',
      maxIterations: 20_000,
      tools: [look()],
      model: () => {
        asked += 1;
        const toolCall = { id: `c${asked}`, name: 'look', input: {} };
        return from<ModelChunk[]>([asked <= 10_000 ? { type: 'toolCall', toolCall } : { type: 'text', delta: 'done' }]);
      },
    });
    let last: SettledEvent | undefined;
    agent.run('go').subscribe((event) => {
      last = event;
    });
    expect(last?.type === 'postCall' && [last.outcome, last.iteration]).to.deep.equal(['completed', 10_001]);
  });
});
