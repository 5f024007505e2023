import { expect } from 'chai';
import { concatMap, delay, EMPTY, interval, map, NEVER, of, throwError } from 'rxjs';
import { HooklineError } from '../../../lib/errors.ts';
import { deny } from '../../../lib/events/decisions/deny.ts';
import { modify } from '../../../lib/events/decisions/modify.ts';
import { assistantMessage, userMessage } from '../../../lib/events/parts/messages.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { verdict } from '../../../lib/pipeline/define/hook.ts';
import { anEvent, marbles, recorder, toolCall } from '../../../lib/testing/index.ts';

const upper = defineHook({
  name: 'upper',
  on: { reasoningChunk: (chunk) => modify(chunk, { delta: chunk.delta.toUpperCase() }) },
});
const slow = defineHook({
  name: 'slow',
  through: {
    reasoningChunk: (chunks$, { scheduler }) => chunks$.pipe(concatMap((one) => of(one).pipe(delay(2, scheduler)))),
  },
});

/** Returns the error of marbles(). */
function failureOf(spec: Parameters<typeof marbles>[0], options?: Parameters<typeof marbles>[1]): Error {
  try {
    marbles(spec, options);
  } catch (thrown) {
    return thrown as Error;
  }
  throw new Error('nothing was thrown');
}

describe('marbles', () => {
  it('passes chunks through the chunk stages of hooks', () => {
    marbles(({ pass, expectEvents }) => {
      const values = { a: anEvent.text('a'), b: anEvent.text('b') };
      expectEvents(pass(upper, 'a-b|', values)).toBe('a-b(l|)', {
        a: { delta: 'A' },
        b: anEvent.text('B'),
        l: 'reasoningChunk last',
      });
      expectEvents(pass([upper, slow], 'ab|', values)).toShow([
        '2 reasoningChunk "A"',
        '4 reasoningChunk "B"',
        '4 reasoningChunk last',
        '4 |',
      ]);
    });
  });

  it('passes tool chunks per call, and stops when a hook finishes or aborts', () => {
    const guard = defineHook({
      name: 'guard',
      on: {
        actingChunk: (chunk) =>
          chunk.content === 'no' ? { ...chunk, decision: { action: 'abort', reason: 'bad' } } : undefined,
      },
    });
    marbles(({ pass, expectEvents }) => {
      expectEvents(pass(guard, 'a-b-a|', { a: anEvent.actingChunk('yes'), b: anEvent.actingChunk('no') })).toShow([
        '0 actingChunk call_1 "yes"',
        '2 actingChunk call_1 "" => abort "bad" by guard',
        '2 |',
      ]);
    });
  });

  it('passes other events through their gates, including approvers', () => {
    const guard = defineHook({
      name: 'guard',
      on: {
        preActing: (event) => (event.toolCall.name === 'rm' ? deny(event, 'no') : of(undefined)),
        postReasoning: (event, { scheduler }) =>
          of(modify(event, { message: assistantMessage('x') })).pipe(delay(3, scheduler)),
      },
      approve: ({ toolCall: { name } }) => (name === 'mv' ? verdict.deny('never') : { verdict: 'approved' }),
    });
    marbles(({ pass, expectEvents }) => {
      const values = {
        r: anEvent.preActing('rm'),
        m: anEvent.preActing('mv'),
        l: anEvent.preActing('ls'),
        p: anEvent.postReasoning('secret'),
      };
      expectEvents(pass(guard, 'rml-p|', values)).toShow([
        '0 preActing call_1 rm {} => deny "no" by guard',
        '1 preActing call_1 mv {} => deny "never" by guard',
        '2 preActing call_1 ls {}',
        '7 postReasoning "x"',
        '7 |',
      ]);
    });
  });

  it('turns a failing hook into an error of the stream', () => {
    const broken = defineHook({
      name: 'broken',
      on: {
        postReasoning: () => {
          throw new Error('boom');
        },
      },
    });
    marbles(({ pass, expectEvents }) => {
      const failed = pass(broken, '-a|', { a: anEvent.postReasoning() });
      expectEvents(failed).toBe('-#', {}, 'Hook "broken" failed in on.postReasoning: boom');
      expectEvents(failed).toShow(['1 # Hook "broken" …boom']);
    });
  });

  it('runs phases and whole agents on the test scheduler', () => {
    marbles(({ run, model, tool, agent, expectEvents }) => {
      const asked$ = run(upper).reason({ messages: [userMessage('hi')] }, model([{ marbles: '--a-b|' }]));
      expectEvents(asked$).toBe('p-a-b(lr|)', {
        p: anEvent.preReasoning(),
        a: anEvent.text('A'),
        b: anEvent.text('B'),
        l: anEvent.last(),
        r: anEvent.postReasoning('AB'),
      });
      const acted$ = run().act(toolCall('bash'), [tool({ name: 'bash', result: 'ok', delayMs: 5 })]);
      expectEvents(acted$).toBe('p----(r|)', {
        p: anEvent.preActing('bash'),
        r: anEvent.postActing('ok', { durationMs: 5 }),
      });
      expectEvents(agent({ model: ['done'], hooks: upper }).run('hi')).toShow([
        '0 preCall "hi"',
        '0 preReasoning',
        '0 reasoningChunk "DONE"',
        '0 reasoningChunk last',
        '0 postReasoning "DONE"',
        '0 postCall completed "DONE"',
        '0 |',
      ]);
    });
  });

  it('unsubscribes as the subscription marbles define', () => {
    marbles(({ run, tool, expectEvents }) => {
      const endless = tool({ name: 'bash', never: true });
      expectEvents(run().act(toolCall('bash'), [endless]), '-^--!').toBe('-p', { p: 'preActing call_1 bash {}' });
    });
  });

  it('runs an action at a frame', () => {
    marbles(({ at, scheduler }) => {
      const frames: number[] = [];
      at(3, () => frames.push(scheduler.now()));
      at(1, () => frames.push(scheduler.now()));
      at(4, () => expect(frames).to.deep.equal([1, 3]));
    });
  });

  it('draws both timelines, a legend and the first difference', () => {
    const { message } = failureOf(({ cold, expectEvents }) => {
      const values = { a: anEvent.preCall('hi'), b: anEvent.preReasoning(), c: anEvent.text('Hal', { block: 2 }) };
      expectEvents(cold('(ab)-c|', values)).toBe('(ab)c--|', {
        ...values,
        c: { type: 'reasoningChunk', delta: 'Hel' },
      });
    });
    expect(message).to.equal(
      [
        'expectEvents: what came at place 3 is not as expected.',
        '',
        'frame     0    4 5 6 7',
        'expected  (ab)-c-----|',
        'actual    (ab)---A-|',
        '               ^',
        '',
        'a  preCall "hi"',
        'b  preReasoning',
        'c  reasoningChunk delta="Hel"',
        'A  reasoningChunk "Hal" block 2',
        '',
        'expected  4 reasoningChunk delta="Hel"',
        'actual    5 reasoningChunk "Hal" block 2',
        '  frame: expected 4, got 5',
        '  delta: expected "Hel", got "Hal"',
      ].join('\n'),
    );
  });

  it('provides line lists for diffs in a test runner, which contain only differences', () => {
    const failure = failureOf(({ cold, expectEvents }) => {
      expectEvents(cold('ab|', { a: anEvent.text('a'), b: anEvent.text('b') })).toShow(['0 reasoningChunk …', '1 |']);
    });
    expect(failure).to.deep.include({
      name: 'AssertionError',
      actual: '0 reasoningChunk "a"\n1 reasoningChunk "b"\n2 |',
      expected: '0 reasoningChunk "a"\n1 |',
    });
  });

  const wrong: [string, RegExp, Parameters<typeof marbles>[0]][] = [
    [
      'a missing event',
      /actual {4}1 \|/,
      ({ cold, expectEvents }) => expectEvents(cold('-|')).toShow(['0 preCall', '1 |']),
    ],
    ['an extra event', /expected {2}nothing more/, ({ expectEvents }) => expectEvents(of(anEvent.preCall())).toBe('')],
    ['a stream that never ends', /actual {4}nothing more/, ({ expectEvents }) => expectEvents(NEVER).toBe('---|')],
    [
      'a stream that fails',
      /actual {4}0 # boom/,
      ({ expectEvents }) => expectEvents(throwError(() => new Error('boom'))).toBe('|'),
    ],
    [
      'an error with another message',
      /error: expected "bang", got "boom"/,
      ({ expectEvents }) => expectEvents(throwError(() => new Error('boom'))).toBe('#', {}, 'bang'),
    ],
    [
      'subscriptions that differ',
      /subscriptions differ/,
      ({ cold, expectSubscriptions }) => expectSubscriptions(cold('-|').subscriptions).toBe('^!'),
    ],
    [
      'another type',
      /type: expected "postCall", got "preCall"/,
      ({ expectEvents }) => expectEvents(of(anEvent.preCall())).toBe('(a|)', { a: anEvent.postCall() }),
    ],
    [
      'a field that should be absent',
      /decision: expected undefined, got \{"action":"abort"/,
      ({ expectEvents }) =>
        expectEvents(of(anEvent.preCall('a', { decision: { action: 'abort', reason: 'x' } }))).toBe('(a|)', {
          a: { decision: undefined },
        }),
    ],
    [
      'a list that is longer',
      /messages\.1: expected undefined/,
      ({ expectEvents }) =>
        expectEvents(of(anEvent.preReasoning({ messages: [userMessage('a'), userMessage('b')] }))).toBe('(a|)', {
          a: { messages: [{}] },
        }),
    ],
    [
      'a text that does not match',
      /delta: expected \/\^b\/, got "a"/,
      ({ expectEvents }) => expectEvents(of(anEvent.text('a'))).toBe('(a|)', { a: { delta: /^b/ } }),
    ],
  ];
  for (const [what, message, spec] of wrong) {
    it(`detects ${what}`, () => expect(failureOf(spec).message).to.match(message));
  }

  const misused: [string, RegExp, Parameters<typeof marbles>[0], Parameters<typeof marbles>[1]?][] = [
    [
      'a letter without a value',
      /has "b", but values has only a/,
      ({ expectEvents }) => expectEvents(EMPTY).toBe('ab|', { a: {} }),
    ],
    ['an event without a value', /pass\(\).*has "x"/, ({ pass }) => pass(upper, 'x|', {})],
    ['an expectation without an end', /add \.toBe\(\) or \.toShow\(\)/, ({ expectEvents }) => expectEvents(EMPTY)],
    [
      'an expectation with two ends',
      /one toBe or toShow/,
      ({ expectEvents }) => {
        const expectation = expectEvents(EMPTY);
        expectation.toBe('|');
        expectation.toBe('|');
      },
    ],
    ['a line without a frame', /this is none: preCall/, ({ expectEvents }) => expectEvents(EMPTY).toShow(['preCall'])],
    ['a callback that returns a promise', /nothing can be awaited/, () => Promise.resolve() as never],
    ['a call within a call', /within marbles/, () => marbles(() => {})],
    [
      'a timer that never stops',
      /still scheduled after frame 50/,
      ({ scheduler }) => interval(10, scheduler).subscribe() as never,
      { maxFrames: 50 },
    ],
    [
      'a subscription after the last frame',
      /never subscribed/,
      ({ expectEvents }) => expectEvents(EMPTY, '60ms ^').toBe('|'),
      { maxFrames: 50 },
    ],
  ];
  for (const [what, message, spec, options] of misused) {
    it(`reports ${what}`, () => {
      const failure = failureOf(spec, options);
      expect(failure).to.be.instanceOf(HooklineError).with.property('code', 'OPTIONS_INVALID');
      expect(failure.message).to.match(message);
    });
  }

  it('reports hooks next to a pipeline, which would be ignored', () => {
    marbles(({ agent, pipeline }) => {
      const hook = recorder();
      expect(() => agent({ model: ['ok'], hooks: [hook], pipeline: pipeline() }))
        .to.throw(/agent\(\): give hooks, or a pipeline that has them/)
        .with.property('code', 'OPTIONS_INVALID');
      expect(agent({ model: ['ok'], hooks: [hook], pipeline: undefined as never }).pipeline.hooks).to.have.length(1);
    });
  });

  it('reports first that a promise was used in virtual time', () => {
    const patient = defineHook({ name: 'patient', on: { preReasoning: async () => undefined } });
    const failure = failureOf(({ agent, expectEvents }) =>
      expectEvents(agent({ model: ['hi'], hooks: patient }).run('hi')).toShow(['0 preCall "hi"', '0 preReasoning']),
    );
    expect(failure.message).to.match(/^Hook "patient" \(on\.preReasoning\) returned a promise in virtual time/);
  });

  it('isolates runs from each other', () => {
    failureOf(() => {
      throw new Error('boom');
    });
    marbles(({ expectEvents, cold }) => expectEvents(cold<never>('5ms |')).toBe('5ms |'));
  });

  it('wraps long timelines and shows the part around the difference', () => {
    const failure = failureOf(
      ({ scheduler, expectEvents }) => {
        const record = recorder();
        expectEvents(interval(10, scheduler).pipe(map((n) => anEvent.text(`${n}`)))).toShow(['500 reasoningChunk "x"']);
        expect(record.events).to.be.empty;
      },
      { maxFrames: 900 },
    );
    const longest = Math.max(...failure.message.split('\n').map(({ length }) => length));
    expect(longest).to.be.below(125);
  });
});
