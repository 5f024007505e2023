import { expect } from 'chai';
import { throwError } from 'rxjs';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { HookDefinition } from '../../../lib/pipeline/define/hook.ts';
import { callOf, hear, keptLog, modelOf, request, start, toolOf } from '../scene.ts';

const broken = (): never => {
  throw new Error('out of ink');
};

/** The message of the logged error. */
function logged(own: Omit<HookDefinition, 'name'>): unknown {
  const { log, lines } = keptLog();
  const run = start([defineHook({ name: 'h', ...own })], { log });
  hear(run.reason(request, modelOf('a')));
  hear(run.act(callOf('t'), [toolOf('t', () => 'x')]));
  const [line] = lines as unknown as readonly { hook: string; err: { message: string } }[];
  expect(line?.hook).to.equal('h');
  return line?.err.message;
}

describe('the log line of a failed hook', () => {
  it('contains the error of the hook once, for any place', () => {
    const places: Omit<HookDefinition, 'name'>[] = [
      { on: { postReasoning: broken } },
      { on: { preActing: broken } },
      { on: { reasoningChunk: broken } },
      { through: { reasoningChunk: () => throwError(() => new Error('out of ink')) } },
      { approve: broken },
      { around: { reasoning: broken } },
    ];
    for (const place of places) expect(logged(place)).to.equal('out of ink');
  });

  it('contains the contract that a hook broke', () => {
    expect(logged({ on: { postReasoning: () => 7 as never } })).to.match(
      /^Hook "h" \(postReasoning\): returned a number/,
    );
  });
});
