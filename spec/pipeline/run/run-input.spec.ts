import { expect } from 'chai';
import { describeTool } from 'hookline';
import { type Observable, of } from 'rxjs';
import type { SettledEvent } from '../../../lib/events/hook-event.ts';
import { userMessage } from '../../../lib/events/parts/messages.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { Run } from '../../../lib/pipeline/run/run.ts';
import { callOf, hear, modelOf, request, start, toolOf } from '../scene.ts';

/** A value from plain JavaScript. */
type Loose = Record<'begin' | 'reason' | 'act' | 'end', (...given: unknown[]) => Observable<SettledEvent>>;

const issue = (events$: Observable<SettledEvent>): string => {
  const { error, events } = hear(events$);
  expect(events).to.deep.equal([]);
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return `${code}: ${message}`;
};

describe('the input of a run', () => {
  const tool = toolOf('t', () => 'done');
  const wrong: Record<string, [(run: Loose) => Observable<SettledEvent>, RegExp]> = {
    'no messages at the start': [(run) => run.begin(), /run\.begin.*messages must be a list, and is undefined/],
    'a string at the start': [(run) => run.begin('hi'), /run\.begin.*messages must be a list, and is a string/],
    'a string as a message': [
      (run) => run.begin([userMessage('a'), 'hi']),
      /messages\[1\] is not a message.*userMessage/,
    ],
    'a typo in a request': [
      (run) => run.reason({ mesages: [] }, modelOf('a')),
      /cannot hold "mesages" \(did you mean "messages"\?\), only messages, tools, model, options, purpose\./,
    ],
    'tools instead of descriptions': [
      (run) => run.reason({ messages: [], tools: [tool] }, modelOf('a')),
      /tools\.map\(describeTool\)/,
    ],
    'null as a tool': [(run) => run.reason({ messages: [], tools: [null] }, modelOf('a')), /tools\[0\] is null/],
    'no request': [(run) => run.reason(undefined, modelOf('a')), /needs an object, and was given undefined/],
    'no tools': [(run) => run.act(callOf('t')), /run\.act.*tools must be a list/],
    'an unknown outcome': [(run) => run.end({ outcome: 'done' }), /outcome is "done".*completed/],
    'no end options': [(run) => run.end(), /run\.end.*needs an object/],
  };
  for (const [what, [call, message]] of Object.entries(wrong))
    it(`rejects ${what} before any hook runs`, () => {
      let asked = 0;
      const hook = defineHook({ name: 'h', on: () => void asked++ });
      const told = issue(call(start([hook]) as unknown as Loose));
      expect(told)
        .to.match(/^INPUT_INVALID: /)
        .and.match(message);
      expect(asked).to.equal(0);
    });

  it('rejects a typo in the start options', () => {
    const pipeline = createPipeline([]);
    expect(() => pipeline.start({ agent: 'a', session: 's' } as never)).to.throw(
      /cannot hold "session".*, only agent, sessionId, userId/,
    );
    expect(() => pipeline.start(undefined as never)).to.throw(/pipeline\.start.*needs an object/);
    expect(() => pipeline.start({ agent: 5 } as never)).to.throw(/pipeline\.start.*agent/);
  });

  it('stays the caller’s own, so that later changes have no effect', () => {
    const messages = [userMessage('hi')];
    const tools = [describeTool(tool)];
    const run = start([]);
    hear(run.begin(messages));
    const heard = hear(run.reason({ messages, tools }, modelOf('a')));
    messages.push(userMessage('more'));
    tools.pop();
    expect([heard.of('preReasoning')[0]?.messages.length, heard.of('preReasoning')[0]?.tools.length]).to.deep.equal([
      1, 1,
    ]);
  });

  it('starts once and ends once, with nothing after it', () => {
    const ran: string[] = [];
    const run: Run = start([]);
    hear(run.begin([userMessage('hi')]));
    expect(issue(run.begin([userMessage('hi')]))).to.match(/INPUT_INVALID.*has begun already/);
    expect(hear(run.end({ outcome: 'completed' })).lines()).to.deep.equal(['postCall completed']);
    const late = toolOf('t', () => {
      ran.push('tool');
      return 'x';
    });
    const model = () => {
      ran.push('model');
      return of();
    };
    for (const events$ of [
      run.end({ outcome: 'aborted' }),
      run.act(callOf('t'), [late]),
      run.reason(request, model),
      run.fail(new Error('late')),
      run.begin([]),
    ])
      expect(issue(events$)).to.match(/INPUT_INVALID: run\.\w+\(\): the run has ended/);
    expect(ran).to.deep.equal([]);
  });

  it('runs no hook for a model step after a cancellation', () => {
    let asked = 0;
    const hook = defineHook({ name: 'h', on: { preReasoning: () => void asked++ } });
    const run = start([hook]);
    run.cancel('stop');
    const heard = hear(run.reason(request, modelOf('a')));
    expect([heard.events, heard.completed, asked]).to.deep.equal([[], true, 0]);
  });
});
