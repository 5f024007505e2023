import { expect } from 'chai';
import {
  abort,
  defineHook,
  finish,
  type GateEvent,
  type Handlers,
  type Message,
  modify,
  respond,
  retry,
  textOf,
  toolCallsOf,
  userMessage,
} from '../../../lib/index.ts';
import { scriptedTool } from '../../../lib/testing/index.ts';
import { type Stage, type StageOptions, stage } from '../../acceptance/scene.ts';
import { keptLog } from '../../pipeline/scene.ts';

/** An assistant message with `text` that calls `look` once for each id. */
const calling = (text: string, ...ids: readonly string[]): Message => ({
  role: 'assistant',
  parts: [
    { type: 'text', text },
    ...ids.map((id) => ({ type: 'toolCall' as const, toolCall: { id, name: 'look', input: {} } })),
  ],
});

interface Scene extends Stage {
  readonly looks: () => number;
  readonly logged: () => readonly string[];
}

function scene(
  on: Handlers,
  turns: StageOptions['turns'] = ['answer', 'again'],
  own: Partial<StageOptions> = {},
): Scene {
  const tool = scriptedTool({ name: 'look', result: 'seen' });
  const { log, lines } = keptLog();
  const made = stage({ turns, tools: [tool], hooks: [defineHook({ name: 'hook', on })], settings: { log }, ...own });
  return {
    ...made,
    looks: () => tool.calls.length,
    logged: () => lines.map((line) => (line as unknown as { err: { message: string } }).err.message),
  };
}

const once = (iteration: number, act: (event: never) => unknown) => (event: GateEvent) =>
  (event.iteration === iteration ? act(event as never) : undefined) as never;

describe('tool calls in messages of hooks', () => {
  describe('in a message that ends the run', () => {
    it('are rejected in a respond to preCall, with the alternative', () => {
      const { run, remembered, looks } = scene({ preCall: (event) => respond(event, calling('cached', 'x')) });
      const { post } = run();
      expect(post.outcome).to.equal('failed');
      expect(post.reason).to.match(/^Hook "hook" \(preCall\): .*no calls.*preReasoning/);
      expect(remembered().join()).not.to.contain('look');
      expect(looks()).to.equal(0);
    });

    it('are rejected in a respond to an error of the call', () => {
      const { run, logged } = scene({
        preCall() {
          throw new Error('oh');
        },
        error: (event) => (event.phase === 'call' ? respond(event, calling('sorry', 'x')) : undefined),
      });
      expect(run().post.outcome).to.equal('failed');
      expect(logged().at(-1)).to.match(/^Hook "hook" \(error\): .*no calls/);
    });

    it('are rejected at postCall, and the message stays unchanged', () => {
      const { run, remembered, logged } = scene({
        postCall: (event) => modify(event, { message: calling('answer!', 'x') }),
      });
      expect(textOf(run().post.message)).to.equal('answer');
      expect(remembered()).to.deep.equal(['user: go', 'assistant: answer']);
      expect(logged()).to.have.length(1);
      expect(logged()[0]).to.match(/^Hook "hook" \(postCall\): .*same calls/);
    });

    for (const [what, ids] of [
      ['removes calls that have their results', []],
      ['replaces them with others', ['other']],
    ] as const) {
      it(`are rejected at postCall if it ${what}`, () => {
        const { run, remembered, logged } = scene(
          {
            postReasoning: (event) => finish(event),
            postCall: (event) => modify(event, { message: calling('done', ...ids) }),
          },
          [{ toolCalls: [{ name: 'look', input: {} }] }],
        );
        run();
        expect(remembered()[1]).to.equal('assistant: [look {}]');
        expect(remembered()).to.have.length(3);
        expect(logged()[0]).to.match(/same calls/);
      });
    }

    it('may have their input changed at postCall, as the same calls', () => {
      const { run, remembered, logged } = scene(
        {
          postReasoning: (event) => finish(event),
          postCall(event) {
            const [part] = event.message?.parts ?? [];
            if (part?.type !== 'toolCall') return undefined;
            const hidden = { ...part, toolCall: { ...part.toolCall, input: { key: '***' } } };
            return modify(event, { message: { role: 'assistant', parts: [hidden] } });
          },
        },
        [{ toolCalls: [{ name: 'look', input: { key: 'k' } }] }],
      );
      run();
      expect(remembered()[1]).to.equal('assistant: [look {"key":"***"}]');
      expect(logged()).to.deep.equal([]);
    });
  });

  describe('in the answer of a model step', () => {
    const executed = ['user: go', 'assistant: cached [look {}]', 'tool: [seen]', 'assistant: answer'];

    it('run like the model’s from a respond to preReasoning', () => {
      const { run, remembered } = scene({ preReasoning: once(1, (event) => respond(event, calling('cached', 'x'))) });
      expect(run().post.outcome).to.equal('completed');
      expect(remembered()).to.deep.equal(executed);
    });

    it('run from the recovery of a failed model step', () => {
      const { run, remembered } = scene(
        { error: (event) => (event.phase === 'reasoning' ? respond(event, calling('cached', 'x')) : undefined) },
        [{ error: 'down' }, 'answer'],
      );
      run();
      expect(remembered()).to.deep.equal(executed);
    });

    it('are rejected with a duplicate id, because results would be ambiguous', () => {
      for (const on of [
        { preReasoning: (event) => respond(event, calling('a', 'x', 'x')) },
        { postReasoning: (event) => modify(event, { message: calling('a', 'x', 'x') }) },
      ] satisfies Handlers[]) {
        const { run, remembered, looks } = scene(on);
        const { post } = run();
        expect(post.outcome).to.equal('failed');
        expect(post.reason).to.match(/^Hook "hook" \(p.*Reasoning\): .*two tool calls of the id "x"/);
        expect(remembered().join()).not.to.contain('look');
        expect(looks()).to.equal(0);
      }
    });

    it('are rejected in a message that is not the assistant’s', () => {
      const { run } = scene({ preReasoning: (event) => respond(event, { ...calling('a', 'x'), role: 'user' }) });
      expect(run().post.reason).to.match(/must be assistant[\s\S]*message\.role/);
    });
  });

  it('get unique ids if a model repeats one', () => {
    const twice = { id: 'x', name: 'look', input: {} };
    const { run, looks } = scene({}, [{ toolCalls: [twice, twice] }, 'answer']);
    const ids = run()
      .of('postActing')
      .map(({ toolCall }) => toolCall.id);
    expect(ids).to.deep.equal(['x', 'x-2']);
    expect(looks()).to.equal(2);
  });

  describe('in a summary, which is without tools', () => {
    const asking = { toolCalls: [{ name: 'look', input: {} }] };
    const last = { text: 'So far.', ...asking };
    const own = { maxIterations: 1 };

    it('are dropped with a note before anyone sees them, if the model writes them', () => {
      const { run, remembered, looks } = scene({}, [asking, last], own);
      const { post, of } = run();
      expect(post.outcome).to.equal('exhausted');
      const summary = of('postReasoning')[1];
      expect(toolCallsOf(summary?.message as Message)).to.deep.equal([]);
      expect(summary?.finishReason).to.equal('stop');
      expect(summary?.notes?.map(({ code }) => code)).to.deep.equal(['calls-dropped']);
      expect(remembered().slice(3)).to.deep.equal(['assistant: So far.']);
      expect(looks()).to.equal(1);
    });

    it('are dropped from a hook’s answer', () => {
      const { run, remembered } = scene(
        { preReasoning: once(2, (event) => respond(event, calling('So far.', 'x'))) },
        [asking],
        own,
      );
      expect(run().post.outcome).to.equal('exhausted');
      expect(remembered().slice(3)).to.deep.equal(['assistant: So far.']);
    });

    it('are rejected if a hook adds them later', () => {
      const { run, remembered } = scene(
        { postReasoning: once(2, (event) => modify(event as never, { message: calling('!', 'x') } as never)) },
        [asking, 'Sum.'],
        own,
      );
      const { post } = run();
      expect(post.reason).to.match(/^Hook "hook" \(postReasoning\): a summary is without tools/);
      expect(remembered().slice(3)).to.deep.equal(['assistant: Sum.']);
    });

    it('leave nothing open when a hook requests another summary or aborts', () => {
      const again = scene({ postReasoning: once(2, (event) => retry(event, 'no tools')) }, [asking, last, 'Sum.'], own);
      again.run();
      expect(again.remembered().slice(3)).to.deep.equal(['assistant: So far.', 'user: no tools', 'assistant: Sum.']);
      const over = scene({ postReasoning: once(2, (event) => abort(event, 'stop')) }, [asking, last], own);
      over.run();
      expect(over.remembered().slice(3)).to.deep.equal(['assistant: So far.']);
    });
  });

  it('are closed in messages from elsewhere: the input and those injected by a retry', () => {
    const open = 'tool: [failed: The message contained this call without a result; the call did not run.]';
    const { run, remembered, asked } = scene({
      preCall: (event) => modify(event, { messages: [calling('before', 'x'), ...event.messages] }),
      postReasoning: once(1, (event) => retry(event, [calling('hint', 'y'), userMessage('go on')])),
    });
    run();
    expect(remembered()).to.deep.equal([
      'assistant: before [look {}]',
      open,
      'user: go',
      'assistant: answer',
      'assistant: hint [look {}]',
      open,
      'user: go on',
      'assistant: again',
    ]);
    expect(asked(0)[1]).to.equal(open);
  });
});
