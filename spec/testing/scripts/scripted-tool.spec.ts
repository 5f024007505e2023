import { expect } from 'chai';
import { TestScheduler } from 'rxjs/testing';
import { z } from 'zod';
import { HooklineError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import type { Tool } from '../../../lib/pipeline/define/tool.ts';
import { describeEvent, scriptedTool, toolCall } from '../../../lib/testing/index.ts';

/** Events of one run of the tool without passing time, except preActing. */
function call(tool: Tool, input: JsonObject = {}): string[] {
  const lines: string[] = [];
  createPipeline()
    .start({ agent: 'a' })
    .act(toolCall(tool.name, input), [tool])
    .subscribe((event) => lines.push(describeEvent(event)));
  return lines.slice(1);
}

describe('scriptedTool', () => {
  it('streams its chunks and returns its result', () => {
    expect(call(scriptedTool({ name: 'bash', chunks: ['a', 'b'], result: 'done' }))).to.deep.equal([
      'actingChunk call_1 "a"',
      'actingChunk call_1 "b"',
      'actingChunk call_1 last',
      'postActing call_1 executed "done"',
    ]);
  });

  it('returns its joined chunks without a result', () => {
    expect(call(scriptedTool({ name: 'bash', chunks: ['a', 'b'] })).at(-1)).to.equal('postActing call_1 executed "ab"');
  });

  it('computes the result from the input, and returns JSON as JSON', () => {
    const tool = scriptedTool({
      name: 'add',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      result: ({ a, b }) => ({ sum: a + b }),
    });
    expect(call(tool, { a: 1, b: 2 })).to.deep.equal(['postActing call_1 executed "{\\"sum\\":3}"']);
    expect(call(tool, { a: 1 })[0]).to.match(/failed "The input of tool \\"add\\" is invalid. b/);
  });

  it('returns its results in order, and fails after the last one', () => {
    const tool = scriptedTool({ name: 'bash', results: ['one', { content: 'two', isError: true }] });
    expect(call(tool)).to.deep.equal(['postActing call_1 executed "one"']);
    expect(call(tool)).to.deep.equal(['postActing call_1 executed isError "two"']);
    expect(call(tool).at(-1)).to.match(/failed .*The script of tool/);
  });

  it('fails after its chunks', () => {
    expect(call(scriptedTool({ name: 'bash', chunks: ['a'], error: 'boom' }))).to.include(
      'error acting tool call_1 "boom"',
    );
  });

  it('records its calls and how they ended', () => {
    const good = scriptedTool({ name: 'good', result: 'ok' });
    const bad = scriptedTool({ name: 'bad', error: 'boom' });
    const endless = scriptedTool({ name: 'endless', never: true });
    call(good, { n: 1 });
    call(good, { n: 2 });
    call(bad);
    expect(good.calls.map(({ input, state }) => [input, state])).to.deep.equal([
      [{ n: 1 }, 'done'],
      [{ n: 2 }, 'done'],
    ]);
    expect(good.calls[0]?.toolCall).to.deep.equal(toolCall('good', { n: 1 }));
    expect(bad.calls[0]?.state).to.equal('failed');
    const running = createPipeline().start({ agent: 'a' }).act(toolCall('endless'), [endless]).subscribe();
    expect(endless.calls[0]?.state).to.equal('running');
    running.unsubscribe();
    expect(endless.calls[0]?.state).to.equal('cancelled');
  });

  it('plays marbles and waits on the given scheduler', () => {
    const scheduler = new TestScheduler((actual, expected) => void expect(actual).to.deep.equal(expected));
    scheduler.run(({ expectObservable }) => {
      const context = { toolCall: toolCall('t') } as never;
      const drawn = scriptedTool({
        name: 't',
        marbles: '-a-r|',
        values: { a: 'x', r: { content: 'y', isError: false } },
        scheduler,
      });
      expectObservable(drawn.execute({}, context) as never).toBe('-a-r|', {
        a: 'x',
        r: { content: 'y', isError: false },
      });
      const failing = scriptedTool({ name: 't', marbles: '--#', error: 'boom', scheduler });
      expectObservable(failing.execute({}, context) as never).toBe('--#', {}, new Error('boom'));
      const slow = scriptedTool({ name: 't', chunks: ['a'], result: 'y', delayMs: 2, scheduler });
      expectObservable(slow.execute({}, context) as never).toBe('--a-(r|)', {
        a: 'a',
        r: { content: 'y', isError: false },
      });
    });
  });

  it('rejects a script with two ends, marbles without a scheduler, and an invalid name', () => {
    expect(() => scriptedTool({ name: 't', result: 'a', never: true })).to.throw(
      HooklineError,
      /result and never exclude each other/,
    );
    expect(() => scriptedTool({ name: 't', marbles: '-|', chunks: ['a'] })).to.throw(/draw the chunks/);
    expect(() => scriptedTool({ name: 't', marbles: '-|' })).to.throw(HooklineError, /scheduler of marbles/);
    expect(() => scriptedTool({ name: 'a b' })).to.throw(HooklineError, /name/);
  });
});
