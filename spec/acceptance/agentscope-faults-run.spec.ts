import { expect } from 'chai';
import { accumulate, createAgent, createPipeline, defineHook, memoryTranscript, modify, textOf } from 'hookline';
import { marbles, recorder, scriptedTool } from 'hookline/testing';
import { delay, NEVER, of } from 'rxjs';
import { pause, show, stage } from './scene.ts';

const call = (name: string, input = {}) => ({ name, input });

describe('issues of AgentScope that Hookline does not have: chunks and interruption', () => {
  it('"chunk hooks are detached and may finish after PostReasoning": they are in-band and flushed before it', () => {
    marbles(({ agent, expectEvents, scheduler }) => {
      const slow = defineHook({
        name: 'slow',
        on: { reasoningChunk: (event) => of(event).pipe(delay(event.delta === 'a' ? 10 : 1, scheduler)) },
      });
      const talking = agent({ model: [{ chunks: ['a', 'b'] }], hooks: slow });
      expectEvents(talking.run('hi')).toShow([
        '0 preCall "hi"',
        '0 preReasoning',
        '10 reasoningChunk "a"',
        '11 reasoningChunk "b"',
        '12 reasoningChunk last',
        '12 postReasoning "ab"',
        '12 postCall completed "ab"',
        '12 |',
      ]);
    });
  });

  it('"errors of chunk hooks are dropped": the run fails, and no unprocessed text is released', () => {
    const broken = defineHook({
      name: 'broken',
      on: {
        reasoningChunk: (event) => {
          if (event.delta === 'secret') throw new Error('oh');
        },
      },
    });
    const { lines } = stage({ turns: [{ chunks: ['fine', 'secret'] }], hooks: [broken] }).run();
    expect(lines('reasoningChunk', 'error', 'postCall')).to.deep.equal([
      'reasoningChunk "fine"',
      'error reasoning hook broken "Hook \\"broken\\" failed in on.reasoningChunk: oh"',
      'postCall failed (Hook "broken" failed in on.reasoningChunk: oh)',
    ]);
  });

  it('"one failing chunk hook silences the others": with onFailure skip the others receive the chunk', () => {
    const seen: string[] = [];
    const broken = defineHook({
      name: 'broken',
      onFailure: 'skip',
      on: {
        reasoningChunk: () => {
          throw new Error('oh');
        },
      },
    });
    const other = defineHook({ name: 'other', on: { reasoningChunk: ({ delta }) => void seen.push(delta) } });
    const { post } = stage({ turns: [{ chunks: ['a', 'b'] }], hooks: [broken, other] }).run();
    expect(textOf(post.message)).to.equal('ab');
    expect(seen).to.deep.equal(['a', 'b', '']);
  });

  it('"chunk hooks survive cancellation": they end with the run', () => {
    marbles(({ agent, expectEvents, at, scheduler }) => {
      const done: string[] = [];
      const slow = defineHook({
        name: 'slow',
        on: {
          reasoningChunk: (_, { signal }) => {
            signal.addEventListener('abort', () => done.push(`aborted at ${scheduler.frame}`));
            return NEVER;
          },
        },
      });
      const talking = agent({ model: [{ chunks: ['a'] }], hooks: slow });
      expectEvents(talking.run('hi'), '^--!').toShow(['0 preCall "hi"', '0 preReasoning']);
      at(9, () => expect(done).to.deep.equal(['aborted at 3']));
    });
  });

  it('"the result of a chunk hook is ignored": screen and memory receive its return value', () => {
    const star = defineHook({
      name: 'star',
      on: { reasoningChunk: (event) => modify(event, { delta: event.delta.replace('b', '*') }) },
    });
    const { run, remembered } = stage({ turns: [{ chunks: ['a', 'b'] }], hooks: [star] });
    expect(
      run()
        .of('reasoningChunk')
        .map(({ delta }) => delta),
    ).to.deep.equal(['a', '*', '']);
    expect(remembered().at(-1)).to.equal('assistant: a*');
  });

  it('"the full message is emitted again at the end": every character is streamed once', () => {
    const { of: typed } = stage({ turns: [{ chunks: ['Hel', 'lo'] }] }).run();
    expect(
      typed('reasoningChunk')
        .map(({ delta }) => delta)
        .join(''),
    ).to.equal('Hello');
  });

  it('"incremental or cumulative is a global option": each consumer accumulates by itself, block by block', () => {
    const { agent } = stage({ turns: [{ thinking: 'hm', chunks: ['Hel', 'lo'] }] });
    const texts: string[] = [];
    agent
      .run('hi')
      .pipe(accumulate())
      .subscribe((event) => {
        if (event.type === 'reasoningChunk') texts.push(`${event.part} ${event.accumulated}`);
      });
    expect(texts).to.deep.equal(['thinking hm', 'thinking hm', 'text Hel', 'text Hello', 'text Hello']);
  });

  it('"no backpressure": a pullable model is pulled when the hooks are done', async () => {
    const log: string[] = [];
    const slow = defineHook({
      name: 'slow',
      on: {
        async reasoningChunk({ delta }) {
          await pause(1);
          log.push(`handled ${delta}`);
        },
      },
    });
    const agent = createAgent({
      name: 'MyAgent',
      pipeline: createPipeline([slow]),
      async *model() {
        for (const delta of ['a', 'b']) {
          log.push(`gave ${delta}`);
          yield { type: 'text' as const, delta };
        }
      },
    });
    await agent.call('hi');
    expect(log.slice(0, 4)).to.deep.equal(['gave a', 'handled a', 'gave b', 'handled b']);
  });

  it('"an interrupt fires neither PostCall nor Error": one postCall, cancelled, without a canned reply', () => {
    marbles(({ agent, expectEvents, hot, at }) => {
      const transcript = memoryTranscript();
      const talking = agent({ model: [{ marbles: '--a-b--|' }], transcript });
      const interrupt$ = hot<'cancel'>('---c', { c: 'cancel' });
      expectEvents(talking.run('hi', { sessionId: 's', interrupt$ })).toShow([
        '0 preCall "hi"',
        '0 preReasoning',
        '2 reasoningChunk "a"',
        '3 postCall cancelled (interrupted)',
        '3 |',
      ]);
      at(5, () => expect(show(transcript.sessions.get('s') ?? [])).to.deep.equal(['user: hi', 'assistant: a']));
    });
  });

  it('"a cancel by the subscriber fires nothing": observers receive it', () => {
    const seen = recorder();
    const { agent } = stage({
      turns: [{ toolCalls: [call('look')] }],
      tools: [scriptedTool({ name: 'look', never: true })],
      hooks: [seen],
    });
    agent.run('go').subscribe().unsubscribe();
    expect(seen.lines('postActing', 'postCall')).to.deep.equal([
      'postActing call_1 cancelled "The call was cancelled (the run was cancelled); its effect i…"',
      'postCall cancelled',
    ]);
  });
});
