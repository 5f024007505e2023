import { expect } from 'chai';
import {
  abort,
  assistantMessage,
  defineHook,
  finish,
  type Handlers,
  modify,
  retry,
  textOf,
  userMessage,
  verdict,
} from '../../../lib/index.ts';
import { scriptedTool } from '../../../lib/testing/index.ts';
import { type Stage, type StageOptions, stage } from '../../acceptance/scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const look = () => scriptedTool({ name: 'look', chunks: ['raw'], result: 'raw' });
const withHook = (on: Handlers, own: Partial<StageOptions> = {}): Stage =>
  stage({
    turns: [{ toolCalls: [call('look')] }, 'answer', 'again'],
    tools: [look()],
    hooks: [defineHook({ name: 'hook', on })],
    ...own,
  });
const plain = ['user: go', 'assistant: [look {}]', 'tool: [raw]', 'assistant: answer'];

describe('changes by hooks: their recipients and their storage', () => {
  it('preCall.messages: sent and stored', () => {
    const { run, asked, remembered } = withHook({
      preCall: (event) => modify(event, { messages: [userMessage('GO')] }),
    });
    run();
    expect(asked(0)).to.deep.equal(['user: GO']);
    expect(remembered()[0]).to.equal('user: GO');
  });

  it('preReasoning.*: in this request only', () => {
    const { run, asked, model, remembered } = withHook({
      preReasoning: (event) =>
        event.iteration > 1
          ? undefined
          : modify(event, { messages: [userMessage('other')], tools: [], model: 'other', options: { seed: 1 } }),
    });
    run();
    expect(asked(0)).to.deep.equal(['user: other']);
    expect(model.requests[0]).to.deep.include({ tools: [], model: 'other', options: { seed: 1 } });
    expect(asked(1)).to.deep.equal(plain.slice(0, 3));
    expect(model.requests[1]).to.deep.include({ model: 'scripted', options: {} });
    expect(remembered()).to.deep.equal(plain);
  });

  it('chunks: the emitted text is stored', () => {
    const { run, remembered } = withHook({
      reasoningChunk: (event) => modify(event, { delta: event.delta.toUpperCase() }),
    });
    run();
    expect(remembered().at(-1)).to.equal('assistant: ANSWER');
  });

  it('chunks: replaced if postReasoning changes the message', () => {
    const { run, remembered } = withHook({
      reasoningChunk: (event) => modify(event, { delta: event.delta.toUpperCase() }),
      postReasoning: (event) =>
        textOf(event.message) ? modify(event, { message: assistantMessage('other') }) : undefined,
    });
    run();
    expect(remembered().at(-1)).to.equal('assistant: other');
  });

  it('postReasoning.message, with its calls: run and stored', () => {
    const { run, asked, remembered } = withHook({
      postReasoning(event) {
        const [part] = event.message.parts;
        if (part?.type !== 'toolCall') return undefined;
        const parts = [{ ...part, toolCall: { ...part.toolCall, input: { at: 1 } } }];
        return modify(event, { message: { role: 'assistant', parts } });
      },
    });
    run();
    expect(asked(1)[1]).to.equal('assistant: [look {"at":1}]');
    expect(remembered()[1]).to.equal('assistant: [look {"at":1}]');
  });

  it('postCall.message: stored instead of the last one and sent in the next run', () => {
    const { run, asked, remembered } = withHook({
      postCall: (event) => modify(event, { message: assistantMessage('signed') }),
    });
    run();
    expect(remembered()).to.deep.equal([...plain.slice(0, 3), 'assistant: signed']);
    run('next');
    expect(asked(2).slice(-2)).to.deep.equal(['assistant: signed', 'user: next']);
  });

  it('postCall.message: keeps the last settled value, of two hooks and of postReasoning before', () => {
    const add = (name: string, text: string) =>
      defineHook({
        name,
        on: { postCall: (event) => modify(event, { message: assistantMessage(`${textOf(event.message)}${text}`) }) },
      });
    const { run, remembered } = withHook({}, { hooks: [add('one', ' 1'), add('two', ' 2')] });
    expect(textOf(run().post.message)).to.equal('answer 1 2');
    expect(remembered().at(-1)).to.equal('assistant: answer 1 2');
  });

  it('postCall.message: replaces the message with the calls after a finish and keeps their results', () => {
    const { run, remembered } = withHook({
      postReasoning: (event) => finish(event),
      postCall: (event) =>
        modify(event, {
          message: { role: 'assistant', parts: [...(event.message?.parts ?? []), { type: 'text', text: '!' }] },
        }),
    });
    run();
    expect(remembered().slice(1)).to.deep.equal([
      'assistant: [look {}] !',
      'tool: [failed: The call was not started: hook "hook" ended the run.]',
    ]);
  });

  it('preActing.toolCall: executed but never stored', () => {
    const tool = look();
    const { run, asked, remembered } = withHook(
      { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { token: 't' } } }) },
      { tools: [tool] },
    );
    run();
    expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ token: 't' }]);
    expect(asked(1)[1]).to.equal('assistant: [look {}]');
    expect(remembered()).to.deep.equal(plain);
  });

  it('postActing.result: the same for the event, the next request and the transcript', () => {
    const { run, asked, remembered } = withHook({
      postActing: (event) => modify(event, { result: { content: 'cooked', isError: false } }),
    });
    expect(run().of('postActing')[0]?.result.content).to.equal('cooked');
    expect(asked(1)[2]).to.equal('tool: [cooked]');
    expect(remembered()[2]).to.equal('tool: [cooked]');
  });

  describe('a result for every call', () => {
    const closed = (hooks: StageOptions['hooks'], own: Partial<StageOptions> = {}) => {
      const scene = withHook({}, { ...(hooks && { hooks }), ...own });
      const { post } = scene.run();
      return [post.outcome, ...scene.remembered().slice(1)];
    };

    it('on deny', () => {
      const guard = defineHook({ name: 'guard', approve: () => verdict.deny('no') });
      expect(closed([guard])[2]).to.equal('tool: [failed: The call was denied by hook "guard": no]');
    });

    it('on abort', () => {
      const guard = defineHook({ name: 'guard', on: { preActing: (event) => abort(event, 'stop') } });
      expect(closed([guard])).to.deep.equal([
        'aborted',
        'assistant: [look {}]',
        'tool: [failed: The call was not started: hook "guard" ended the run.]',
      ]);
    });

    it('on an abort after the model step', () => {
      const guard = defineHook({ name: 'guard', on: { postReasoning: (event) => abort(event, 'stop') } });
      expect(closed([guard])).to.deep.equal([
        'aborted',
        'assistant: [look {}]',
        'tool: [failed: The call was not started: hook "guard" ended the run.]',
      ]);
    });

    it("on retry, with the message kept and followed by the retry's messages", () => {
      const again = defineHook({
        name: 'again',
        on: { postReasoning: (event) => (event.iteration === 1 ? retry(event, ['one', 'two']) : undefined) },
      });
      expect(closed([again])).to.deep.equal([
        'completed',
        'assistant: [look {}]',
        'tool: [failed: The call was not started: hook "again" asked the model to reason again.]',
        'user: one',
        'user: two',
        'assistant: answer',
      ]);
    });

    it('on failure of the tool and on an unknown tool', () => {
      const turns = [{ toolCalls: [call('look'), call('nope')] }, 'answer'];
      const tools = [scriptedTool({ name: 'look', error: 'blind' })];
      expect(closed([], { turns, tools })[2]).to.equal(
        'tool: [failed: Tool "look" failed: blind] [failed: There is no tool "nope". Tools: look.]',
      );
    });

    it('on failure of a hook that ends the run', () => {
      const broken = defineHook({
        name: 'broken',
        on: {
          postActing() {
            throw new Error('oh');
          },
        },
      });
      expect(closed([broken])).to.deep.equal([
        'failed',
        'assistant: [look {}]',
        'tool: [failed: The result was withheld: hook "broken" failed.]',
      ]);
    });

    it('on suspend: open until resumed, closed for runs in between', () => {
      const ask = defineHook({ name: 'ask', approve: () => verdict.suspend('sure?') });
      const scene = withHook({}, { hooks: [ask] });
      scene.run();
      expect(scene.remembered()).to.deep.equal(plain.slice(0, 2));
      scene.run('meanwhile');
      expect(scene.asked(1)[2]).to.match(/^tool: \[failed: .*has not been resumed/);
    });
  });

  describe('rollback', () => {
    const before = ['user: first', 'assistant: hello'];
    const places: Record<string, Handlers> = {
      preCall: { preCall: (event) => abort(event, 'undo', { rollback: true }) },
      preReasoning: {
        preReasoning: (event) => (event.iteration > 1 ? abort(event, 'undo', { rollback: true }) : undefined),
      },
      reasoningChunk: {
        reasoningChunk: (event) => (event.delta === 'swer' ? abort(event, 'undo', { rollback: true }) : undefined),
      },
      'postReasoning with calls': { postReasoning: (event) => abort(event, 'undo', { rollback: true }) },
      'postReasoning without calls': {
        postReasoning: (event) => (event.iteration > 1 ? abort(event, 'undo', { rollback: true }) : undefined),
      },
      preActing: { preActing: (event) => abort(event, 'undo', { rollback: true }) },
      actingChunk: { actingChunk: (event) => abort(event, 'undo', { rollback: true }) },
      postActing: { postActing: (event) => abort(event, 'undo', { rollback: true }) },
    };
    for (const [place, on] of Object.entries(places)) {
      it(`of an abort in ${place} restores the transcript from before the call`, () => {
        const hook = defineHook({ name: 'hook', on });
        const { agent, run, remembered } = stage({
          turns: ['hello', { toolCalls: [call('look')] }, { chunks: ['an', 'swer'] }],
          tools: [look()],
        });
        run('first');
        agent.addHook(hook);
        expect(run().post.outcome).to.equal('aborted');
        expect(remembered()).to.deep.equal(before);
      });
    }

    it('is not implied by an abort', () => {
      const { run, remembered } = withHook({
        preReasoning: (event) => (event.iteration > 1 ? abort(event, 'stop') : undefined),
      });
      run();
      expect(remembered()).to.deep.equal(plain.slice(0, 3));
    });
  });
});
