import { expect } from 'chai';
import { EMPTY, of, Subject, throwError } from 'rxjs';
import { assistantMessage, defineHook, memoryTranscript, modify, toAsyncIterable } from '../../lib/index.ts';
import { marbles, recorder, scriptedTool } from '../../lib/testing/index.ts';
import { play, show, stage } from '../acceptance/scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const look = () => scriptedTool({ name: 'look', result: 'seen' });
const acting = [{ toolCalls: [call('look')] }, 'done'];

/** An AbortSignal that counts its listeners. */
function countingSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = ((...args: Parameters<typeof add>) => {
    listeners += 1;
    add(...args);
  }) as typeof add;
  signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  }) as typeof remove;
  return { controller, signal, listeners: () => listeners };
}

describe('steering', () => {
  it('is added before the next model step as a user message', () => {
    const steering$ = new Subject<string>();
    const tool = scriptedTool({
      name: 'look',
      result: () => {
        steering$.next('use metres');
        return 'seen';
      },
    });
    const { run, asked, remembered } = stage({ turns: acting, tools: [tool] });
    run('go', { steering$ });
    expect(asked(1)).to.deep.equal(['user: go', 'assistant: [look {}]', 'tool: [seen]', 'user: use metres']);
    expect(remembered().slice(-2)).to.deep.equal(['user: use metres', 'assistant: done']);
  });

  it('continues the run after the answer if it arrives during the answer', () => {
    marbles(({ agent, hot, at, expectEvents }) => {
      const transcript = memoryTranscript();
      const talking = agent({ model: [{ marbles: '----a|' }, 'b'], transcript });
      expectEvents(talking.run('go', { sessionId: 's', steering$: hot('--s', { s: 'and b?' }) })).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '4 reasoningChunk "a"',
        '5 reasoningChunk last',
        '5 postReasoning "a"',
        '5 preReasoning',
        '5 reasoningChunk "b"',
        '5 reasoningChunk last',
        '5 postReasoning "b"',
        '5 postCall completed "b"',
        '5 |',
      ]);
      at(9, () =>
        expect(show(transcript.sessions.get('s') ?? [])).to.deep.equal([
          ...['user: go', 'assistant: a', 'user: and b?', 'assistant: b'],
        ]),
      );
    });
  });

  it('keeps its order and accepts whole messages too', () => {
    const { run, asked } = stage({ turns: ['ok'] });
    run('go', { steering$: of('one', assistantMessage('two')) });
    expect(asked(0)).to.deep.equal(['user: go', 'user: one', 'assistant: two']);
  });

  it('reports a failing stream in an error event and cancels the run', () => {
    const { run } = stage({ turns: ['ok'] });
    expect(run('go', { steering$: throwError(() => new Error('no line')) }).lines()).to.deep.equal([
      'preCall "go"',
      'error call host "no line"',
      'postCall cancelled (a control stream failed: no line)',
    ]);
  });

  const misfits: Record<string, [unknown, string]> = {
    'a message of another library': [{ role: 'user', content: 'hello' }, 'parts'],
    'a number': [5, 'must be a string or a message'],
    nothing: [undefined, 'must be a string or a message'],
  };
  for (const [what, [misfit, told]] of Object.entries(misfits)) {
    it(`rejects ${what}: the run ends, and neither model nor transcript receives it`, () => {
      const { run, model, remembered } = stage({ turns: ['ok'] });
      const { events, post } = run('go', { steering$: of(misfit as string) });
      const issue = events.find((event) => event.type === 'error');
      expect(issue?.error.code).to.equal('INPUT_INVALID');
      expect(issue?.error.message).to.include('steering$').and.include(told);
      expect([post.outcome, post.reason]).to.deep.equal([
        'cancelled',
        `a control stream failed: ${issue?.error.message}`,
      ]);
      expect(model.requests).to.be.empty;
      expect(remembered()).to.be.empty;
    });
  }

  it('keeps earlier messages after a late rejection, and the session continues', () => {
    const steering$ = new Subject<string>();
    const tool = scriptedTool({
      name: 'look',
      result: () => {
        steering$.next('use metres');
        steering$.next(5 as unknown as string);
        return 'seen';
      },
    });
    const { run, remembered } = stage({ turns: acting, tools: [tool] });
    expect(run('go', { steering$ }).post.outcome).to.equal('cancelled');
    expect(remembered().at(-1)).to.equal('user: use metres');
    expect(run('again').post.outcome).to.equal('completed');
  });

  it('unsubscribes when the run has ended', () => {
    const steering$ = new Subject<string>();
    const interrupt$ = new Subject<'cancel'>();
    const { run } = stage({ turns: ['ok'] });
    run('go', { steering$, interrupt$ });
    expect([steering$.observed, interrupt$.observed]).to.deep.equal([false, false]);
  });

  it('stays subscribed until a cancelled run has ended', () => {
    const steering$ = new Subject<string>();
    const { agent } = stage({ turns: acting, tools: [scriptedTool({ name: 'look', never: true })] });
    const subscription = agent.run('go', { steering$ }).subscribe();
    expect(steering$.observed).to.equal(true);
    subscription.unsubscribe();
    expect(steering$.observed).to.equal(false);
  });

  it('may complete before the run', () => {
    expect(stage({ turns: ['ok'] }).run('go', { steering$: EMPTY, interrupt$: EMPTY }).post.outcome).to.equal(
      'completed',
    );
  });
});

describe('an interrupt', () => {
  it('now: cancels the model, stores the streamed text, and ends with one postCall', () => {
    marbles(({ agent, hot, at, expectEvents }) => {
      const transcript = memoryTranscript();
      const talking = agent({ model: [{ marbles: '--a-b--|' }], transcript });
      expectEvents(talking.run('go', { sessionId: 's', interrupt$: hot<'cancel'>('-----c', { c: 'cancel' }) })).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '2 reasoningChunk "a"',
        '4 reasoningChunk "b"',
        '5 postCall cancelled (interrupted)',
        '5 |',
      ]);
      at(9, () => expect(show(transcript.sessions.get('s') ?? [])).to.deep.equal(['user: go', 'assistant: ab']));
    });
  });

  it('graceful: waits for the pending answer, then requests a last one without tools', () => {
    marbles(({ agent, hot, model, at, tool, expectEvents }) => {
      const script = model([
        { marbles: '--a|', values: { a: { type: 'toolCall', toolCall: { id: 'x', name: 'look', input: {} } } } },
        'so far',
      ]);
      const busy = agent({ model: script, tools: [tool({ name: 'look', result: 'seen' })] });
      expectEvents(busy.run('go', { interrupt$: hot<'graceful'>('-g', { g: 'graceful' }) })).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '3 postReasoning x look {}',
        '3 postActing x skipped "The call was not started: the run was interrupted."',
        '3 preReasoning summary',
        '3 reasoningChunk "so far"',
        '3 reasoningChunk last',
        '3 postReasoning summary "so far"',
        '3 postCall finished "so far"',
        '3 |',
      ]);
      at(9, () => expect(script.requests.at(-1)?.tools).to.deep.equal([]));
    });
  });

  it('graceful, before the run: requests only a last answer', () => {
    const { run, model, asked, remembered } = stage({ turns: ['nothing done'], tools: [look()] });
    expect(run('go', { interrupt$: of('graceful' as const) }).post.outcome).to.equal('finished');
    expect(model.requests.map(({ tools }) => tools)).to.deep.equal([[]]);
    expect(asked(0).at(-1)).to.match(/^user: The user has interrupted/);
    expect(remembered()).to.deep.equal(['user: go', 'assistant: nothing done']);
  });

  it('of an unknown kind is rejected by name', () => {
    for (const [kind, told] of [
      ['gracefull', 'interrupt$ emitted "gracefull"; it accepts "cancel" and "graceful".'],
      [5, 'interrupt$ emitted a number; it accepts "cancel" and "graceful".'],
    ] as const) {
      const { run, model } = stage({ turns: ['ok'] });
      const { events, post } = run('go', { interrupt$: of(kind as 'cancel') });
      const issue = events.find((event) => event.type === 'error');
      expect([issue?.error.code, issue?.error.message]).to.deep.equal(['INPUT_INVALID', told]);
      expect([post.outcome, post.reason]).to.deep.equal(['cancelled', `a control stream failed: ${told}`]);
      expect(model.requests).to.be.empty;
    }
  });

  it('graceful, then now: cancels the run', () => {
    const { run } = stage({ turns: ['ok'] });
    expect(run('go', { interrupt$: of('graceful' as const, 'cancel' as const) }).post.outcome).to.equal('cancelled');
  });
});

describe('a signal', () => {
  it('aborted before the run: emits only preCall and postCall', () => {
    const seen = recorder();
    const { run, model, remembered } = stage({ turns: ['ok'], hooks: [seen] });
    expect(run('go', { signal: AbortSignal.abort('too late') }).lines()).to.deep.equal([
      'preCall "go"',
      'postCall cancelled (too late)',
    ]);
    expect(seen.lines()).to.deep.equal(['preCall "go"', 'postCall cancelled (too late)']);
    expect(model.requests).to.be.empty;
    expect(remembered()).to.be.empty;
  });

  for (const place of [
    'preCall',
    'preReasoning',
    'reasoningChunk',
    'postReasoning',
    'preActing',
    'postActing',
  ] as const) {
    it(`aborted in on.${place}: ends the run there, with one postCall and no open call`, () => {
      const controller = new AbortController();
      const aborter = defineHook({ name: 'aborter', on: { [place]: () => void controller.abort('enough') } });
      const { run, remembered } = stage({ turns: acting, tools: [look()], hooks: [aborter] });
      const { post, of: typed } = run('go', { signal: controller.signal });
      expect(typed('postCall')).to.have.length(1);
      expect([post.outcome, post.reason]).to.deep.equal(['cancelled', 'enough']);
      const lines = remembered();
      const open = lines.findIndex((line) => line.includes('[look'));
      if (open >= 0) expect(lines[open + 1]).to.match(/^tool: /);
    });
  }

  it('aborted in on.postCall: makes the outcome cancelled and keeps the answer in the transcript', () => {
    const controller = new AbortController();
    const aborter = defineHook({ name: 'aborter', on: { postCall: () => void controller.abort('enough') } });
    const { run, remembered } = stage({ turns: ['ok'], hooks: [aborter] });
    const { post, of: typed } = run('go', { signal: controller.signal });
    expect([typed('postCall').length, post.outcome]).to.deep.equal([1, 'cancelled']);
    expect(remembered()).to.deep.equal(['user: go', 'assistant: ok']);
  });

  it('aborted after the run: changes nothing', () => {
    const controller = new AbortController();
    const { run } = stage({ turns: ['ok'] });
    const { events } = run('go', { signal: controller.signal });
    const count = events.length;
    controller.abort();
    expect(events).to.have.length(count);
  });

  it('gives the reason: its text, an error’s message, or the default', () => {
    const reasons = [
      AbortSignal.abort('a text'),
      AbortSignal.abort(new Error('an error')),
      AbortSignal.abort(),
      AbortSignal.abort({ odd: 1 }),
    ];
    const { run } = stage({ turns: ['ok'] });
    expect(reasons.map((signal) => run('go', { signal }).post.reason)).to.deep.equal([
      ...['a text', 'an error', 'cancelled', 'cancelled'],
    ]);
  });

  it('has no listener left after many runs with any outcome', async () => {
    const { signal, listeners } = countingSignal();
    const { agent } = stage({
      turns: [...Array.from({ length: 50 }, () => 'ok'), { error: 'quota' }, { toolCalls: [call('look')] }, 'later'],
      tools: [scriptedTool({ name: 'look', never: true })],
    });
    for (let n = 0; n < 51; n++) play(agent.run('go', { signal }));
    agent.run('go', { signal }).subscribe().unsubscribe();
    for await (const _ of toAsyncIterable(agent.run('go', { signal }))) break;
    agent.run('go', { signal, maxIterations: -1 }).subscribe({ error: () => undefined });
    expect(listeners()).to.equal(0);
  });

  it('has no listener left after the unsubscribe of a waiting run', () => {
    const { signal, listeners } = countingSignal();
    const { agent } = stage({ turns: acting, tools: [scriptedTool({ name: 'look', never: true })] });
    const first = agent.run('go', { sessionId: 's' }).subscribe();
    agent.run('go', { sessionId: 's', signal }).subscribe().unsubscribe();
    expect(listeners()).to.equal(0);
    first.unsubscribe();
  });

  it('cancels a waiting hook and aborts its signal', () => {
    marbles(({ agent, at, expectEvents, cold, scheduler }) => {
      const controller = new AbortController();
      const told: number[] = [];
      const slow = defineHook({
        name: 'slow',
        on: {
          preReasoning: (event, { signal }) => {
            signal.addEventListener('abort', () => told.push(scheduler.frame));
            return cold('---------e', { e: modify(event, {}) });
          },
        },
      });
      at(4, () => controller.abort('enough'));
      expectEvents(agent({ model: ['ok'], hooks: slow }).run('go', { signal: controller.signal })).toShow([
        '0 preCall "go"',
        '4 postCall cancelled (enough)',
        '4 |',
      ]);
      at(20, () => expect(told).to.deep.equal([4]));
    });
  });
});
