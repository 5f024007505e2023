import { expect } from 'chai';
import { Subject } from 'rxjs';
import { rollsBack } from '../../lib/events/decisions/abort.ts';
import { abort, defineHook, deny, respond } from '../../lib/index.ts';
import { scriptedTool } from '../../lib/testing/index.ts';
import { stage } from '../acceptance/scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const look = () => scriptedTool({ name: 'look', result: 'seen' });
const acting = [{ toolCalls: [call('look')] }, 'done'];
const fails = defineHook({
  name: 'fails',
  on: {
    postActing() {
      throw new Error('down');
    },
  },
});
const rescue = defineHook({
  name: 'rescue',
  on: { error: (event) => (event.phase === 'acting' ? respond(event, 'all fine') : undefined) },
});
const refuse = defineHook({ name: 'refuse', on: { preActing: (event) => deny(event, 'no') } });

describe('the outcome of a call', () => {
  for (const [what, hooks, content] of [
    ['a postActing hook fails', [refuse, fails], 'The result was withheld: hook "fails" failed.'],
    ['another hook recovers from that failure', [refuse, fails, rescue], 'all fine'],
  ] as const) {
    it(`stays denied when ${what}`, () => {
      const { of } = stage({ turns: acting, tools: [look()], hooks }).run();
      expect(of('postActing').map(({ outcome, result }) => [outcome, result.content])).to.deep.equal([
        ['denied', content],
      ]);
    });
  }

  it('stays skipped', () => {
    const steering$ = new Subject<string>();
    const hooks = [fails, rescue];
    const steered = defineHook({ name: 'steers', on: { postReasoning: () => steering$.next('wait') } });
    const { of } = stage({ turns: acting, tools: [look()], hooks: [...hooks, steered] }).run('go', { steering$ });
    expect(of('postActing').map(({ outcome, result }) => [outcome, result.content])).to.deep.equal([
      ['skipped', 'all fine'],
    ]);
  });

  it('of a call that ran is its actual outcome', () => {
    const { of } = stage({ turns: acting, tools: [look()], hooks: [fails, rescue] }).run();
    expect(of('postActing')[0]).to.include({ outcome: 'responded' });
  });
});

describe('two hooks that end the run', () => {
  it('apply the transcript and rollsBack of the first', () => {
    const first = defineHook({ name: 'first', on: { postReasoning: (event) => abort(event, 'enough') } });
    const second = defineHook({
      name: 'second',
      on: { postActing: (event) => abort(event, 'all of it', { rollback: true }) },
    });
    const { run, remembered } = stage({ turns: acting, tools: [look()], hooks: [first, second] });
    const { events, of, post } = run();
    expect(post.reason).to.equal('hook "first": enough');
    expect(of('postActing')[0]).to.deep.include({
      decision: { action: 'abort', reason: 'all of it', by: 'second' },
      notes: [{ by: 'second', code: 'decision-ignored', message: '"abort" ignored: hook "first" has ended the run' }],
    });
    expect(events.some(rollsBack)).to.equal(false);
    expect(remembered()).to.have.length(3);
  });
});
