import { expect } from 'chai';
import { defineHook, finish, modify, userMessage } from 'hookline';
import { marbles, recorder, scriptedTool } from 'hookline/testing';
import { delay, of, timeout } from 'rxjs';
import { z } from 'zod';
import { stage } from './scene.ts';

const call = (name: string, input = {}) => ({ name, input });

describe('issues of AgentScope that Hookline does not have: batches and memory', () => {
  it('"all PreActing come before any tool runs": one pending call delays no other', () => {
    marbles(({ agent, tool, expectEvents, scheduler }) => {
      const slow = defineHook({
        name: 'slow',
        match: { tools: ['rm'] },
        on: { preActing: (event) => of(event).pipe(delay(50, scheduler)) },
      });
      const busy = agent({
        model: [{ toolCalls: [call('rm'), call('ls')] }, 'ok'],
        tools: [tool({ name: 'rm', result: 'gone' }), tool({ name: 'ls', result: 'files', delayMs: 5 })],
        hooks: slow,
        parallel: 'all',
      });
      expectEvents(busy.run('go')).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '0 postReasoning call_1 rm {} call_2 ls {}',
        '0 preActing call_2 ls {}',
        '5 postActing call_2 executed "files"',
        '50 preActing call_1 rm {}',
        '50 postActing call_1 executed "gone"',
        '50 preReasoning',
        '50 reasoningChunk "ok"',
        '50 reasoningChunk last',
        '50 postReasoning "ok"',
        '50 postCall completed "ok"',
        '50 |',
      ]);
    });
  });

  for (const stopping of ['call_1', 'call_2', 'call_3']) {
    it(`"stop is read from the last result only": ${stopping} of three stops the run`, () => {
      const stop = defineHook({
        name: 'stop',
        on: { postActing: (event) => (event.toolCall.id === stopping ? finish(event) : undefined) },
      });
      const tool = scriptedTool({ name: 'look', result: 'seen' });
      const { run, model } = stage({
        turns: [{ toolCalls: [call('look'), call('look'), call('look')] }, 'never asked'],
        tools: [tool],
        hooks: [stop],
      });
      expect(run().post.outcome).to.equal('finished');
      expect(tool.calls).to.have.length(3);
      expect(model.requests).to.have.length(1);
    });
  }

  it('"validation reads one copy, execution another": the schema checks the edited input', () => {
    const edit = defineHook({
      name: 'edit',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { n: 'many' } } }) },
    });
    const tool = scriptedTool({ name: 'count', result: 'done', inputSchema: z.object({ n: z.number() }) });
    const { of: typed } = stage({
      turns: [{ toolCalls: [call('count', { n: 1 })] }, 'ok'],
      tools: [tool],
      hooks: [edit],
    }).run();
    expect(typed('postActing')[0]?.outcome).to.equal('failed');
    expect(typed('postActing')[0]?.result.content).to.include('n: ');
    expect(tool.calls).to.be.empty;
  });

  it('"a rewritten result reaches the stream but not memory or model": all receive the same value', () => {
    const soften = defineHook({
      name: 'soften',
      on: { postActing: (event) => modify(event, { result: { content: 'soft', isError: false } }) },
    });
    const seen = recorder();
    const { run, asked, remembered } = stage({
      turns: [{ toolCalls: [call('look')] }, 'ok'],
      tools: [scriptedTool({ name: 'look', result: 'hard' })],
      hooks: [soften, seen],
    });
    const { of: typed } = run();
    expect([
      typed('postActing')[0]?.result.content,
      seen.of('postActing')[0]?.result.content,
      asked(1).at(-1),
      remembered()[2],
    ]).to.deep.equal(['soft', 'soft', 'tool: [soft]', 'tool: [soft]']);
  });

  it('"a change of PostCall is not written": the next model request contains it', () => {
    const sign = defineHook({
      name: 'sign',
      on: {
        postCall: (event) =>
          modify(event, { message: { role: 'assistant', parts: [{ type: 'text', text: 'signed' }] } }),
      },
    });
    const { run, asked } = stage({ turns: ['one', 'two'], hooks: [sign] });
    run('a');
    run('b');
    expect(asked(1)).to.deep.equal(['user: a', 'assistant: signed', 'user: b']);
  });

  it('"a PreCall edit can drop the user’s message": it contains only the input, never the history', () => {
    const last = defineHook({
      name: 'last-one-only',
      on: { preCall: (event) => modify(event, { messages: event.messages.slice(-1) }) },
    });
    const { run, asked } = stage({ turns: ['one', 'two', 'three'], hooks: [last] });
    for (const input of ['a', 'b', 'c']) run(input);
    expect(asked(2)).to.deep.equal(['user: a', 'assistant: one', 'user: b', 'assistant: two', 'user: c']);
  });

  it('"prepending shifts old history into the new input": prepended messages stay before the input', () => {
    const hint = defineHook({
      name: 'hint',
      on: { preCall: (event) => modify(event, { messages: [userMessage('hint'), ...event.messages] }) },
    });
    const { run, remembered } = stage({ turns: ['one', 'two'], hooks: [hint] });
    run('a');
    run('b');
    expect(remembered()).to.deep.equal([
      ...['user: hint', 'user: a', 'assistant: one'],
      ...['user: hint', 'user: b', 'assistant: two'],
    ]);
  });

  it('"a timed-out tool gives a result without id and name": the result has both', () => {
    marbles(({ agent, tool, at, expectEvents, scheduler }) => {
      const seen = recorder();
      const limit = defineHook({
        name: 'limit',
        around: { acting: (_, next) => next().pipe(timeout({ each: 20, scheduler })) },
      });
      const busy = agent({
        model: [{ toolCalls: [call('look')] }, 'ok'],
        tools: [tool({ name: 'look', never: true })],
        hooks: [limit, seen],
      });
      expectEvents(busy.run('go')).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '0 postReasoning call_1 look {}',
        '0 preActing call_1 look {}',
        '20 error acting hook limit call_1 "…Timeout…',
        '20 postActing call_1 failed "…',
        '20 preReasoning',
        '20 reasoningChunk "ok"',
        '20 reasoningChunk last',
        '20 postReasoning "ok"',
        '20 postCall completed "ok"',
        '20 |',
      ]);
      at(30, () => expect(seen.of('postActing')[0]?.toolCall).to.deep.equal({ id: 'call_1', name: 'look', input: {} }));
    });
  });
});
