import { expect } from 'chai';
import { concat, delay, lastValueFrom, NEVER, Observable, of, tap, throwError } from 'rxjs';
import { abort } from '../../../lib/events/decisions/abort.ts';
import { deny } from '../../../lib/events/decisions/deny.ts';
import { sameCall } from '../../../lib/events/parts/same-call.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Approver, type HookDefinition, type Verdict, verdict } from '../../../lib/pipeline/define/hook.ts';
import type { ActingOptions, RunOptions } from '../../../lib/pipeline/run/run.ts';
import { marbles } from '../../../lib/testing/marbles/marbles.ts';
import { callOf, hear, start, toolOf } from '../scene.ts';

const order: string[] = [];
const approver = (name: string, priority: number, verdict: Verdict | Approver, own: Partial<HookDefinition> = {}) =>
  defineHook({
    name,
    priority,
    approve(event, context) {
      order.push(name);
      return typeof verdict === 'function' ? verdict(event, context) : verdict;
    },
    ...own,
  });

function act(hooks: ReturnType<typeof approver>[], options?: ActingOptions, own?: Partial<RunOptions>) {
  let ran = 0;
  const tool = toolOf('t', () => {
    ran += 1;
    return 'x';
  });
  const heard = hear(start(hooks, {}, own).act(callOf('t', { n: 1 }), [tool], options));
  return { heard, decision: heard.of('preActing')[0]?.decision, post: heard.of('postActing')[0], ran };
}

describe('approvers', () => {
  beforeEach(() => order.splice(0));

  it('return one verdict at any time; a second one is a contract error, which denies', () => {
    for (const [first, second] of [
      [verdict.allow(), verdict.deny('no')],
      [verdict.allow(), verdict.allow()],
      [verdict.deny('no'), verdict.allow()],
      [verdict.allow(), verdict.suspend('sure?')],
    ] as const) {
      for (const ms of [[], [0], [5], [5, 5]]) {
        marbles(({ run, tool, expectEvents, scheduler }) => {
          const [wait = 0, more = 0] = ms;
          const later = ms.length > 0 ? of(second).pipe(delay(wait, scheduler)) : of(second);
          const given$ = concat(ms.length > 1 ? of(first).pipe(delay(more, scheduler)) : of(first), later);
          const at = wait + more;
          expectEvents(run([approver('fickle', 10, () => given$)]).act(callOf('t'), [tool({ name: 't' })])).toShow([
            `${at} error acting hook fickle call_1 "…its approver gave several verdicts; give exactly one."`,
            `${at} preActing call_1 t {} => deny "…fickle\\" failed" by fickle`,
            `${at} postActing call_1 denied "…failed"`,
            `${at} |`,
          ]);
        });
      }
    }
  });

  it('are awaited until they complete; an open one denies at its timeout, despite a verdict', () => {
    for (const given of [verdict.allow(), verdict.suspend('sure?'), verdict.deny('no')]) {
      for (const ms of [0, 5]) {
        marbles(({ run, tool, expectEvents, scheduler }) => {
          const given$ = ms > 0 ? of(given).pipe(delay(ms, scheduler)) : of(given);
          const open = approver('open', 10, () => concat(given$, NEVER), { timeoutMs: 20 });
          expectEvents(run([open]).act(callOf('t'), [tool({ name: 't' })])).toShow([
            '20 error acting hook open call_1 "…did not complete within 20 ms…',
            '20 preActing call_1 t {} => deny "…open\\" failed" by open',
            '20 postActing call_1 denied "…failed"',
            '20 |',
          ]);
        });
      }
    }
  });

  it('deny when they fail after their verdict', () => {
    const failing$ = concat(
      of(verdict.allow()),
      throwError(() => new Error('the second scanner is down')),
    );
    const { decision, ran } = act([approver('failing', 10, () => failing$)]);
    expect([ran, decision]).to.deep.equal([0, { action: 'deny', reason: 'hook "failing" failed', by: 'failing' }]);
  });

  it('run in order of priority, after all handlers', () => {
    const rewriting = defineHook({ name: 'on', priority: 900, on: { preActing: () => void order.push('on') } });
    act([approver('b', 20, verdict.allow()), approver('a', 10, verdict.allow()), rewriting]);
    expect(order).to.deep.equal(['on', 'a', 'b']);
  });

  it('are skipped for a call that a handler denies or ends the run with', () => {
    for (const decide of [deny, abort]) {
      const refusing = defineHook({ name: 'on', on: { preActing: (event) => decide(event, 'no') } });
      const { ran } = act([approver('a', 10, verdict.allow()), refusing]);
      expect({ ran, order }).to.deep.equal({ ran: 0, order: [] });
    }
  });

  it('must all approve', () => {
    expect(act([approver('a', 1, verdict.allow()), approver('b', 2, verdict.allow())]).ran).to.equal(1);
    expect(act([approver('a', 1, verdict.allow()), approver('b', 2, verdict.deny('no'))])).to.deep.include({ ran: 0 });
  });

  it('may add a note to the event; an invalid note blocks the call', () => {
    const note = { code: 'answered', message: 'Approved by bob.', data: { by: 'bob' } };
    const { heard, ran } = act([approver('a', 1, { verdict: 'approved', note }), approver('b', 2, verdict.allow())]);
    expect([ran, heard.of('preActing')[0]?.notes]).to.deep.equal([1, [{ ...note, by: 'a' }]]);
    const no = act([approver('a', 1, { verdict: 'denied', reason: 'no', note })]);
    expect(no.heard.of('preActing')[0]?.notes).to.deep.equal([{ ...note, by: 'a' }]);
    for (const wrong of [7, 'yes', { code: 'x' }, { ...note, by: 'c' }, { ...note, data: () => 1 }] as unknown[]) {
      const given = { ...verdict.allow(), note: wrong } as Verdict;
      const { decision, ran } = act([approver('a', 1, given)]);
      expect([ran, decision]).to.deep.equal([0, { action: 'deny', reason: 'hook "a" failed', by: 'a' }]);
    }
  });

  it('are skipped after a denial', () => {
    const { decision } = act([approver('a', 1, verdict.deny('no')), approver('b', 2, verdict.allow())]);
    expect(order).to.deep.equal(['a']);
    expect(decision).to.deep.equal({ action: 'deny', reason: 'no', by: 'a' });
  });

  it('are unsubscribed at the timeout, before the call continues', async () => {
    const late = defineHook({
      name: 'late',
      timeoutMs: 5,
      approve: () => new Observable<Verdict>(() => () => void order.push('let go')),
    });
    const acting$ = start([late]).act(callOf('t'), [toolOf('t', () => 'x')]);
    await lastValueFrom(acting$.pipe(tap(({ type }) => void order.push(type))));
    expect(order).to.deep.equal(['let go', 'error', 'preActing', 'postActing']);
  });

  it('may deny a call that another one suspended', () => {
    const { decision } = act([approver('a', 1, verdict.suspend('sure?')), approver('b', 2, verdict.deny('no'))]);
    expect(decision).to.include({ action: 'deny', by: 'b' });
    expect(order).to.deep.equal(['a', 'b']);
  });

  it('ask together if several suspend', () => {
    const { decision, post } = act([
      approver('a', 1, verdict.suspend('first?')),
      approver('b', 2, verdict.suspend('second?')),
      approver('c', 3, verdict.allow()),
    ]);
    expect(decision).to.deep.equal({
      action: 'suspend',
      prompt: 'first?\nsecond?',
      by: 'a',
      asks: [
        { by: 'a', prompt: 'first?' },
        { by: 'b', prompt: 'second?' },
      ],
    });
    expect(post).to.equal(undefined);
  });

  it('run in sequence when asynchronous', () => {
    marbles(({ run, tool, expectEvents, scheduler }) => {
      const later = (name: string, priority: number, verdict: Verdict) =>
        approver(name, priority, () => of(verdict).pipe(delay(5, scheduler)));
      const hooks = [
        later('a', 1, verdict.allow()),
        later('b', 2, verdict.allow()),
        later('c', 3, verdict.deny('no')),
        later('d', 4, verdict.allow()),
      ];
      expectEvents(run(hooks).act(callOf('t'), [tool({ name: 't' })])).toShow([
        '15 preActing call_1 t {} => deny "no" by c',
        '15 postActing call_1 denied "…no"',
        '15 |',
      ]);
    });
    expect(order).to.deep.equal(['a', 'b', 'c']);
  });

  it('run only for the tools and permissions that they match', () => {
    const match = (own: HookDefinition['match']) =>
      act([approver('a', 1, verdict.deny('no'), { match: own ?? {} })]).ran;
    expect([
      match({ tools: ['t'] }),
      match({ tools: ['x*'] }),
      match({ permissions: ['external'] }),
      match({ permissions: ['read'] }),
    ]).to.deep.equal([0, 1, 0, 1]);
  });

  it('see the dry run flag, and nothing runs', () => {
    let dry: boolean | undefined;
    const asking = approver('a', 1, (_, context) => {
      dry = context.dryRun;
      return verdict.allow();
    });
    const { post, ran } = act([asking], {}, { dryRun: true });
    expect([dry, ran]).to.deep.equal([true, 0]);
    expect(post?.outcome).to.equal('skipped');
    expect(post?.result.content).to.contain('dry run');
  });

  it('are skipped for a call that a handler denied', () => {
    const guard = defineHook({
      name: 'guard',
      on: { preActing: (event) => ({ ...event, decision: { action: 'deny', reason: 'no' } }) },
    });
    act([guard, approver('a', 1, verdict.allow())]);
    expect(order).to.deep.equal([]);
  });

  describe('with answers', () => {
    const judged = callOf('t', { n: 1 });
    const asking = approver('a', 1, verdict.suspend('sure?'));

    it('run a call that equals the answered one', () => {
      expect(act([asking], { answers: [{ approved: true, by: 'a', judged }] }).ran).to.equal(1);
    });

    it('ask again about a different call', () => {
      const { decision, ran } = act([asking], {
        answers: [{ approved: true, by: 'a', judged: callOf('t', { n: 2 }) }],
      });
      expect(decision?.action).to.equal('suspend');
      expect(ran).to.equal(0);
    });

    it('do not bypass a denial', () => {
      const { decision } = act([asking, approver('b', 2, verdict.deny('no'))], {
        answers: [{ approved: true, by: 'a', judged }],
      });
      expect(decision?.action).to.equal('deny');
    });

    it('deny at once after a no, with its reason', () => {
      const { decision, ran } = act([asking], { answers: [{ approved: false, reason: 'too risky', by: 'a', judged }] });
      expect(decision).to.deep.equal({ action: 'deny', reason: 'too risky', by: 'a' });
      expect(ran).to.equal(0);
    });

    it('apply an answer only to the approver that asked', () => {
      const { decision } = act([asking, approver('b', 2, verdict.suspend('me too?'))], {
        answers: [{ approved: true, by: 'a', judged }],
      });
      expect(decision).to.include({ action: 'suspend', by: 'b' });
    });
  });

  it('compare calls without key order and sealed values by label', () => {
    const sealed = (nonce: string) => callOf('t', { token: { $sealed: 'x', nonce } });
    expect(
      sameCall(callOf('t', { a: 1, b: { c: 2, d: 3 } }), callOf('t', { b: { d: 3, c: 2 }, a: 1 }, 'other')),
    ).to.equal(true);
    expect(sameCall(sealed('1'), sealed('2'))).to.equal(true);
    expect(sameCall(callOf('t', { a: [1, 2] }), callOf('t', { a: [2, 1] }))).to.equal(false);
    expect(sameCall(callOf('t'), callOf('u'))).to.equal(false);
  });
});
