import { expect } from 'chai';
import {
  createAgent,
  createPipeline,
  defineHook,
  type HookDefinition,
  memoryTranscript,
  modify,
  pendingCalls,
  systemMessage,
  textOf,
  verdict,
} from 'hookline';
import { marbles, recorder, scriptedModel, scriptedTool } from 'hookline/testing';
import { finalize, tap } from 'rxjs';
import { play, show, stage } from './scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const look = () => scriptedTool({ name: 'look', result: 'seen' });
const acting = [{ toolCalls: [call('look')] }, 'done'];
const hook = (name: string, on: HookDefinition['on'], own: Partial<HookDefinition> = {}) =>
  defineHook({ name, ...(on && { on }), ...own });

describe('AgentScope conformance, cases 32 to 41: exporters, retrieval, order, errors, people', () => {
  it('32: even a slow JSON Lines exporter writes every event in order, under one run ID', async () => {
    const lines: string[] = [];
    const exporter = hook('exporter', undefined, {
      observe: async (event) => {
        await new Promise((resolve) => setTimeout(resolve, event.seq % 2));
        lines.push(JSON.stringify(event));
      },
    });
    const { agent, run } = stage({ turns: ['one', 'two'], hooks: [exporter] });
    const first = run();
    await agent.pipeline.flush();
    expect(lines.map((line) => JSON.parse(line))).to.deep.equal(first.events);
    run();
    await agent.pipeline.flush();
    expect(new Set(lines.map((line) => JSON.parse(line).run.runId)).size).to.equal(2);
  });

  describe('33: a retrieval hook', () => {
    const retrieval = (find: (question: string) => string, onFailure: 'skip' | 'block' = 'skip') =>
      hook(
        'retrieval',
        {
          preReasoning(event) {
            const last = event.messages.at(-1);
            if (last?.role !== 'user' || textOf(last) === '') return undefined;
            return modify(event, { messages: [...event.messages, systemMessage(`Known: ${find(textOf(last))}`)] });
          },
        },
        { onFailure },
      );

    it('adds its documents to user messages only, and never to memory', () => {
      const { run, asked, remembered } = stage({
        turns: acting,
        tools: [look()],
        hooks: [retrieval((q) => `all of ${q}`)],
      });
      run('go');
      expect(asked(0).at(-1)).to.equal('system: Known: all of go');
      expect(asked(1).join()).not.to.include('Known');
      expect(remembered().join()).not.to.include('Known');
    });

    it('passes the message unchanged if its store is unavailable', () => {
      const away = retrieval(() => {
        throw new Error('away');
      });
      const { run, asked } = stage({ turns: ['ok'], hooks: [away] });
      expect(run().post.outcome).to.equal('completed');
      expect(asked(0)).to.deep.equal(['user: go']);
    });
  });

  it('34, 35: hooks of priority 10, 100 and 500 run in order and apply edits', () => {
    const tool = look();
    const add = (name: string, priority: number) =>
      hook(
        name,
        {
          preReasoning: (event) => modify(event, { messages: [...event.messages, systemMessage(name)] }),
          preActing(event) {
            const { input } = event.toolCall;
            const edited = { ...input, by: `${input['by'] ?? ''}${name}` };
            return modify(event, { toolCall: { ...event.toolCall, input: edited } });
          },
        },
        { priority },
      );
    const { run, asked } = stage({ turns: acting, tools: [tool], hooks: [add('c', 500), add('a', 10), add('b', 100)] });
    run();
    expect(asked(0)).to.deep.equal(['user: go', 'system: a', 'system: b', 'system: c']);
    expect(tool.calls[0]?.input).to.deep.equal({ by: 'abc' });
  });

  it('36: around a tool the outer hook enters first and exits last', () => {
    const ran: string[] = [];
    const onion = (name: string, priority: number) =>
      hook(name, undefined, {
        priority,
        around: {
          acting: (_, next) =>
            next().pipe(
              tap({ subscribe: () => void ran.push(`+${name}`) }),
              finalize(() => void ran.push(`-${name}`)),
            ),
        },
      });
    stage({ turns: acting, tools: [look()], hooks: [onion('inner', 2), onion('outer', 1)] }).run();
    expect(ran).to.deep.equal(['+outer', '+inner', '-inner', '-outer']);
  });

  it('37: consumer, observer and hot stream receive each event exactly once, in one order', () => {
    const seen = recorder();
    const { agent, run } = stage({ turns: acting, tools: [look()], hooks: [seen] });
    const hot: unknown[] = [];
    agent.pipeline.events$.subscribe((event) => hot.push(event));
    const { events } = run();
    expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, index) => index));
    expect(seen.events).to.deep.equal(events);
    expect(hot).to.deep.equal(events);
  });

  it('38: a hook drops and rewrites deltas', () => {
    const edit = hook('edit', {
      reasoningChunk: (event) =>
        event.delta === 'drop' ? [] : event.delta === 'old' ? modify(event, { delta: 'new' }) : undefined,
    });
    expect(textOf(stage({ turns: [{ chunks: ['a ', 'drop', 'old'] }], hooks: [edit] }).run().post.message)).to.equal(
      'a new',
    );
  });

  it('39: a session is available again after an error', () => {
    const { run } = stage({ turns: [{ error: 'quota' }, 'ok'] });
    expect(run().post.outcome).to.equal('failed');
    expect(run().post.outcome).to.equal('completed');
  });

  it('40: ask suspends; approval runs edited arguments, denial returns a result, silence asks again', () => {
    const tool = scriptedTool({ name: 'pay', result: 'paid' });
    const ask = hook('ask', undefined, {
      approve: ({ toolCall }) => (toolCall.input['sum'] === 0 ? verdict.allow() : verdict.suspend('pay?')),
    });
    const { run, agent } = stage({
      turns: [{ toolCalls: [1, 2, 3].map((sum) => call('pay', { sum })) }, 'ok'],
      tools: [tool],
      hooks: [ask],
    });
    const { snapshot = {} } = run().post;
    const [one, two] = pendingCalls(snapshot).map(({ key }) => key) as [string, string];
    const answers = { [one]: { approved: true, input: { sum: 10 } }, [two]: { approved: false, reason: 'too much' } };
    const second = play(agent.resume(snapshot, answers));
    expect(second.lines('postActing')).to.deep.equal([
      'postActing call_1 executed "paid"',
      'postActing call_2 denied "The call was denied by hook \\"ask\\": too much"',
    ]);
    expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ sum: 10 }]);
    expect(pendingCalls(second.post.snapshot ?? {}).map(({ toolCall }) => toolCall.input)).to.deep.equal([{ sum: 3 }]);
  });

  it('41: an interrupt of a running tool leaves an error result', () => {
    marbles(({ agent, tool, hot, at, expectEvents }) => {
      const transcript = memoryTranscript();
      const busy = agent({
        model: [{ toolCalls: [call('look')] }],
        tools: [tool({ name: 'look', never: true })],
        transcript,
      });
      const interrupt$ = hot<'cancel'>('--c', { c: 'cancel' });
      expectEvents(busy.run('go', { sessionId: 's', interrupt$ })).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '0 postReasoning call_1 look {}',
        '0 preActing call_1 look {}',
        '2 postActing call_1 cancelled "The call was cancelled (interrupted); its effect is unknown."',
        '2 postCall cancelled (interrupted)',
        '2 |',
      ]);
      at(3, () =>
        expect(show(transcript.sessions.get('s') ?? []).at(-1)).to.equal(
          'tool: [failed: The call was cancelled (interrupted); its effect is unknown.]',
        ),
      );
    });
  });

  it('beyond: a denial of one call of a batch does not affect the others', () => {
    const guard = hook('guard', undefined, { match: { tools: ['rm'] }, approve: () => verdict.deny('no') });
    const rm = scriptedTool({ name: 'rm', result: 'gone' });
    const agent = createAgent({
      name: 'MyAgent',
      model: scriptedModel([{ toolCalls: [call('rm'), call('look')] }, 'ok']),
      tools: [rm, look()],
      pipeline: createPipeline([guard]),
    });
    expect(
      play(agent.run('go'))
        .of('postActing')
        .map(({ outcome }) => outcome),
    ).to.deep.equal(['denied', 'executed']);
  });
});
