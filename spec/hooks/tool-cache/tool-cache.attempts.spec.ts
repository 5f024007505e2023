import { expect } from 'chai';
import fc from 'fast-check';
import { concat, delay, mergeMap, of, retry, throwError, timer } from 'rxjs';
import { toolRetry } from '../../../lib/hooks/tool-retry/tool-retry.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { calls } from './calls.ts';

describe('toolCache with failing and retried attempts', () => {
  const late = Object.assign(new Error('late'), { code: 'ETIMEDOUT' });
  const broken = (text: string) => concat(of(text), timer(10).pipe(mergeMap(() => throwError(() => late))));
  const whole = (run: number) => of(`try${run} whole`).pipe(delay(10));
  const flaky = (run: number) => (run === 1 ? broken('try1 ') : whole(run));
  const again = toolRetry({ delayMs: 20, jitter: 0 });

  it('stores nothing of a retracted attempt', () => {
    const { ran, got } = calls([{}, { at: 100 }], {}, { execute: flaky, more: [again] });
    expect(ran).to.deep.equal(['0 look', '30 look']);
    expect(got).to.deep.equal(['40 try2 whole', '100 try2 whole']);
  });

  it('runs the next of several concurrent calls and gives its result to failed ones', () => {
    const { ran, got } = calls([{}, {}, { at: 5 }], {}, { execute: flaky, more: [again] });
    expect(ran).to.deep.equal(['0 look', '10 look']);
    expect(got).to.deep.equal(['30 try2 whole', '20 try2 whole', '20 try2 whole']);
  });

  it('lets failed calls wait for the next one if it still runs', () => {
    const slow = (run: number) => (run === 1 ? broken('try1 ') : of(`try${run} whole`).pipe(delay(50)));
    const { ran, got } = calls([{}, {}], {}, { execute: slow, more: [again] });
    expect(ran).to.deep.equal(['0 look', '10 look']);
    expect(got).to.deep.equal(['60 try2 whole', '60 try2 whole']);
  });

  it('gives each of several failing calls its attempts, one after the other', () => {
    const { ran, got } = calls(
      [{}, {}, { at: 100 }],
      {},
      {
        execute: (run) => (run < 5 ? broken(`try${run} `) : whole(run)),
        more: [toolRetry({ delayMs: 20, jitter: 0, attempts: 2 })],
      },
    );
    expect(ran).to.deep.equal(['0 look', '10 look', '30 look', '40 look', '100 look']);
    expect(got).to.deep.equal(['40 Tool "look" failed: late', '50 Tool "look" failed: late', '110 try5 whole']);
  });

  it('never mixes attempts for any pattern of failures', () => {
    const runs = fc.array(fc.boolean(), { maxLength: 12 });
    const times = fc.array(fc.nat(60), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(runs, times, (fails, ats) => {
        const execute = (run: number) => (fails[run - 1] ? broken(`try${run} `) : concat(of(`try${run} `), whole(run)));
        const { got } = calls(
          ats.map((at) => ({ at })),
          {},
          { execute, more: [again] },
        );
        expect(got.filter((one) => one)).to.have.length(ats.length);
        for (const one of got) expect(one).to.match(/^\d+ (try(\d+) try\2 whole|Tool "look" failed: late)$/);
      }),
    );
  });

  it('runs the tool again for a wrapper that retries at once', () => {
    const atOnce = defineHook({ name: 'at-once', around: { acting: (_, next) => next().pipe(retry(1)) } });
    const { ran, got } = calls([{}, {}, { at: 100 }], {}, { execute: flaky, more: [atOnce] });
    expect(ran).to.deep.equal(['0 look', '10 look']);
    expect(got).to.deep.equal(['20 try2 whole', '20 try2 whole', '100 try2 whole']);
  });
});
