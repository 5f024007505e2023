import { expect } from 'chai';
import { lastValueFrom, type Observable, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { HooklineError } from '../../../lib/errors.ts';
import { userMessage } from '../../../lib/events/parts/messages.ts';
import type { ModelChunk, ModelRequest } from '../../../lib/pipeline/define/model.ts';
import { type ScriptedModel, scriptedModel, scriptSchema } from '../../../lib/testing/index.ts';

const request: ModelRequest = { messages: [userMessage('hi')], tools: [], options: {} };
const { signal } = new AbortController();

/** Output of the model without passing time. */
function ask(model: ScriptedModel): { chunks: ModelChunk[]; error?: unknown; ended: boolean } {
  const heard: { chunks: ModelChunk[]; error?: unknown; ended: boolean } = { chunks: [], ended: false };
  (model(request, { signal }) as Observable<ModelChunk>).subscribe({
    next: (chunk) => heard.chunks.push(chunk),
    error: (thrown) => {
      heard.error = thrown;
    },
    complete: () => {
      heard.ended = true;
    },
  });
  return heard;
}

describe('scriptedModel', () => {
  it('answers each request with the next turn, synchronously', () => {
    const model = scriptedModel(['first', { text: 'second' }]);
    expect(ask(model)).to.deep.equal({
      chunks: [
        { type: 'text', delta: 'first' },
        { type: 'finish', finishReason: 'stop' },
      ],
      ended: true,
    });
    expect(ask(model).chunks[0]).to.deep.equal({ type: 'text', delta: 'second' });
  });

  it('streams thinking, then text in chunks, then tool calls, then usage', () => {
    const usage = { inputTokens: 3, outputTokens: 4 };
    const turn = { thinking: 'hm', chunks: ['a', 'b'], toolCalls: [{ name: 'bash', input: { command: 'ls' } }], usage };
    expect(ask(scriptedModel([turn])).chunks).to.deep.equal([
      { type: 'thinking', delta: 'hm' },
      { type: 'text', delta: 'a' },
      { type: 'text', delta: 'b' },
      { type: 'toolCall', toolCall: { id: 'call_1', name: 'bash', input: { command: 'ls' } } },
      { type: 'finish', finishReason: 'toolCalls', usage },
    ]);
  });

  it('numbers tool calls across turns, and keeps given ids', () => {
    const calls = (...ids: (string | undefined)[]) => ({
      toolCalls: ids.map((id) => ({ name: 't', input: {}, ...(id !== undefined && { id }) })),
    });
    const model = scriptedModel([calls(undefined, 'mine'), calls(undefined)]);
    const ids = [...ask(model).chunks, ...ask(model).chunks].flatMap((chunk) =>
      chunk.type === 'toolCall' ? [chunk.toolCall.id] : [],
    );
    expect(ids).to.deep.equal(['call_1', 'mine', 'call_3']);
  });

  it('fails a turn after its chunks', () => {
    const model = scriptedModel([{ text: 'Hel', error: 'boom' }, { error: { message: 'late', name: 'TimeoutError' } }]);
    const first = ask(model);
    expect(first.chunks).to.deep.equal([{ type: 'text', delta: 'Hel' }]);
    expect(first.error).to.be.an('error').with.property('message', 'boom');
    expect(ask(model).error).to.include({ message: 'late', name: 'TimeoutError' });
  });

  it('reports the number of turns when the script is exhausted', () => {
    const model = scriptedModel(['one', 'two']);
    ask(model);
    ask(model);
    expect(ask(model).error)
      .to.be.instanceOf(HooklineError)
      .that.includes({ code: 'SCRIPT_EXHAUSTED' })
      .with.property('message')
      .that.matches(/has 2 turns/);
  });

  it('records every request', () => {
    const model = scriptedModel(['one']);
    ask(model);
    ask(model);
    expect(model.requests).to.deep.equal([request, request]);
  });

  it('waits before each chunk on the given scheduler', () => {
    const scheduler = new TestScheduler((actual, expected) => void expect(actual).to.deep.equal(expected));
    scheduler.run(({ expectObservable }) => {
      const model = scriptedModel([{ chunks: ['a', 'b'] }], { delayMs: 3, scheduler });
      const a = { type: 'text', delta: 'a' };
      const b = { type: 'text', delta: 'b' };
      const f = { type: 'finish', finishReason: 'stop' };
      expectObservable(model(request, { signal }) as never).toBe('---a--(bf|)', { a, b, f });
    });
  });

  it('waits in real time without a scheduler', async () => {
    const chunks$ = scriptedModel([{ chunks: ['a', 'b'] }], { delayMs: 1 })(request, { signal });
    expect(await lastValueFrom((chunks$ as Observable<ModelChunk>).pipe(toArray()))).to.have.length(3);
  });

  it('plays marbles whose letters stand for texts', () => {
    const scheduler = new TestScheduler((actual, expected) => void expect(actual).to.deep.equal(expected));
    scheduler.run(({ expectObservable }) => {
      const model = scriptedModel(
        [{ marbles: '-a-b-|' }, { marbles: '-a-#', values: { a: 'Hel' }, error: new Error('boom') }],
        { scheduler },
      );
      const text = (delta: string) => ({ type: 'text', delta });
      expectObservable(model(request, { signal }) as never).toBe('-a-b-|', { a: text('a'), b: text('b') });
      expectObservable(model(request, { signal }) as never).toBe('-a-#', { a: text('Hel') }, new Error('boom'));
    });
  });

  it('rejects marbles without a test scheduler, and letters without a value', () => {
    expect(() => scriptedModel([{ marbles: '-a|' }])).to.throw(HooklineError, /turns\[0\].*scheduler of marbles/);
    const scheduler = new TestScheduler(() => {});
    expect(() => scriptedModel([{ marbles: '5ms a-x|', values: { a: 'b' } }], { scheduler })).to.throw(
      HooklineError,
      /has "x", but values has only a/,
    );
  });

  it('rejects an invalid script with the path of each issue', () => {
    const wrong = [{ text: 'a' }, { txt: 'b' }, { toolCalls: [{ name: 'bash' }] }] as never;
    expect(() => scriptedModel(wrong))
      .to.throw(HooklineError, /txt[\s\S]*at \[1\][\s\S]*at \[2\]\.toolCalls\[0\]\.input/)
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => scriptedModel([{ text: 'a', chunks: ['a'] }])).to.throw(/chunks/);
    expect(() => scriptedModel(['a'], { delayMs: -1 })).to.throw(/delayMs/);
    expect(() => scriptedModel('a' as never)).to.throw(/array/);
  });
});

describe('scriptSchema', () => {
  it('parses JSON, with strings as texts', () => {
    expect(scriptSchema.parse(JSON.parse('["hi", { "error": { "message": "no" } }]'))).to.deep.equal([
      { text: 'hi' },
      { error: { message: 'no' } },
    ]);
  });
});
