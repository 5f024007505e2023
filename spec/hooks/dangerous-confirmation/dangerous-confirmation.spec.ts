import { expect } from 'chai';
import { from, isObservable, NEVER, type Observable, of, throwError, timer, VirtualTimeScheduler } from 'rxjs';
import { map } from 'rxjs/operators';
import { TestScheduler } from 'rxjs/testing';
import { HooklineError } from '../../../lib/errors.ts';
import type { AskFunction, Question } from '../../../lib/hooks/asking/ask-function.ts';
import {
  type DangerousConfirmationOptions,
  dangerousConfirmation,
} from '../../../lib/hooks/dangerous-confirmation/dangerous-confirmation.ts';
import { HookPriority, type Verdict } from '../../../lib/pipeline/define/hook.ts';
import { fakeContext } from '../fake-context.ts';
import { calling } from '../sample-events.ts';

const rmAll = calling('bash', { command: 'rm -rf /' });
const approvedVerdict = { verdict: 'approved' };
const answeredVerdict = { ...approvedVerdict, reason: 'approved when asked' };

const same = (actual: unknown, expected: unknown) => void expect(actual).to.deep.equal(expected);

/** The verdict of a synchronous approver. Fails the spec if it is not synchronous. */
function judge(options: DangerousConfirmationOptions, event = rmAll, context = fakeContext()): Verdict {
  const given = dangerousConfirmation(options).approve!(event, context) as Verdict | Observable<Verdict>;
  if (!isObservable(given)) return given;
  let verdict: Verdict | undefined;
  given.subscribe((value) => {
    verdict = value;
  });
  expect(verdict, 'a verdict at once').to.not.equal(undefined);
  return verdict!;
}

function later(ask: AskFunction): Promise<Verdict> {
  const given = dangerousConfirmation({ askBy: ask }).approve!(rmAll, fakeContext()) as Observable<Verdict>;
  return new Promise((resolve, reject) => given.subscribe({ next: resolve, error: reject }));
}

const nobody: AskFunction = () => {
  throw new Error('nobody was to be asked');
};

describe('dangerousConfirmation', () => {
  it('is an approver in the security band and limited only by its own timeout', () => {
    const hook = dangerousConfirmation();
    expect(hook).to.include({ name: 'dangerous-confirmation', priority: HookPriority.SECURITY });
    expect(hook.timeoutMs).to.be.above(300_000);
  });

  it('approves harmless calls without a prompt', () => {
    expect(judge({ askBy: nobody }, calling('bash', { command: 'ls' }))).to.deep.equal(approvedVerdict);
  });

  it('never prompts for a read-only tool', () => {
    expect(judge({ askBy: nobody }, { ...rmAll, permission: 'read' })).to.deep.equal(approvedVerdict);
    const permissions = ['read'] as unknown as ['write'];
    expect(() => dangerousConfirmation({ permissions })).to.throw(HooklineError, /permissions\.0/);
  });

  it('prompts for write and external tools, or only for the listed ones', () => {
    for (const permission of ['write', 'external'] as const) {
      expect(judge({ askBy: () => false }, { ...rmAll, permission })).to.include({ verdict: 'denied' });
    }
    const write = { ...rmAll, permission: 'write' } as const;
    expect(judge({ askBy: nobody, permissions: ['external'] }, write)).to.deep.equal(approvedVerdict);
  });

  it('runs the call after a yes', () => {
    expect(judge({ askBy: () => true })).to.deep.equal(answeredVerdict);
  });

  it('denies after a no, with the match and that the user declined', () => {
    expect(judge({ askBy: () => false })).to.deep.equal({
      verdict: 'denied',
      asked: true,
      reason: 'Not run: the call matches the dangerous pattern "rm" in input.command, and the user declined.',
    });
  });

  it('passes the reason of an answer to the model', () => {
    const reason = 'the user wants the trash used';
    expect(judge({ askBy: () => ({ approved: false, reason }) }))
      .to.have.property('reason')
      .that.includes(reason);
    expect(judge({ askBy: () => ({ approved: true, reason: '' }) })).to.deep.equal(answeredVerdict);
  });

  it('accepts only true as a yes', () => {
    for (const answer of ['yes', 1, {}, { approved: 'true' }, null, undefined]) {
      expect(judge({ askBy: () => answer as never }), String(answer)).to.include({ verdict: 'denied' });
    }
  });

  it('reads the first value of an Observable, and none as a no', () => {
    expect(judge({ askBy: () => of(true, false) })).to.deep.equal(answeredVerdict);
    expect(judge({ askBy: () => from([]) })).to.include({ verdict: 'denied' });
  });

  it('waits for a promise', async () => {
    expect(await later(async () => true)).to.deep.equal(answeredVerdict);
    expect(await later(async () => false)).to.include({ verdict: 'denied' });
  });

  it('fails and so denies when the prompt fails', async () => {
    const outcome = await later(() => throwError(() => new Error('chat is down'))).catch((error) => error);
    expect(outcome).to.be.an('error').with.property('message', 'chat is down');
    const thrown = await later(nobody).catch((error) => error);
    expect(thrown).to.have.property('message', 'nobody was to be asked');
  });

  it('passes all details of the call to the asker', () => {
    let asked: Question | undefined;
    judge({
      askBy: (question) => {
        asked = question;
        return true;
      },
    });
    const { prompt, ...facts } = asked!;
    expect(facts).to.deep.equal({
      tool: 'bash',
      input: { command: 'rm -rf /' },
      permission: 'external',
      description: 'Runs a command.',
      matched: { pattern: 'rm', at: 'input.command', excerpt: 'rm -rf /' },
      run: rmAll.run,
    });
    expect(prompt).to.include('bash').and.include('"command": "rm -rf /"');
  });

  it('treats 300 seconds of virtual time without an answer as a no and retracts the prompt', () => {
    const scheduler = new VirtualTimeScheduler();
    let signal: AbortSignal | undefined;
    const ask: AskFunction = (_, context) => {
      signal = context.signal;
      return NEVER;
    };
    const verdicts: [Verdict, at: number][] = [];
    const verdict$ = dangerousConfirmation({ askBy: ask }).approve!(
      rmAll,
      fakeContext({ scheduler }),
    ) as Observable<Verdict>;
    verdict$.subscribe((verdict) => void verdicts.push([verdict, scheduler.now()]));
    expect(signal?.aborted).to.equal(false);
    scheduler.flush();
    const reason =
      'Not run: the call matches the dangerous pattern "rm" in input.command, and the user did not answer within 300 s.';
    expect(verdicts).to.deep.equal([[{ verdict: 'denied', reason, asked: true }, 300_000]]);
    expect(signal?.aborted).to.equal(true);
  });

  it('accepts an answer at the last moment', () => {
    const scheduler = new TestScheduler(same);
    scheduler.run(({ expectObservable }) => {
      const ask = () => timer(9_999, scheduler).pipe(map(() => true));
      const verdict$ = dangerousConfirmation({ askBy: ask, timeoutMs: 10_000 }).approve!(
        rmAll,
        fakeContext({ scheduler }),
      );
      expectObservable(verdict$ as Observable<Verdict>).toBe('9999ms (a|)', { a: answeredVerdict });
    });
  });

  it('retracts the prompt on unsubscribe or cancellation, but not after an answer', () => {
    const signals: AbortSignal[] = [];
    const put = (answer$: Observable<boolean>, context = fakeContext()) => {
      const ask: AskFunction = (_, { signal }) => {
        signals.push(signal);
        return answer$;
      };
      return (dangerousConfirmation({ askBy: ask }).approve!(rmAll, context) as Observable<Verdict>).subscribe();
    };
    const cancel = new AbortController();
    put(of(true));
    put(NEVER).unsubscribe();
    const open = put(NEVER, fakeContext({ signal: cancel.signal }));
    cancel.abort();
    expect(signals.map((signal) => signal.aborted)).to.deep.equal([false, true, true]);
    open.unsubscribe();
  });

  it('returns the prompt without asking in a dry run', () => {
    const verdict = judge({ askBy: nobody }, rmAll, fakeContext({ dryRun: true }));
    expect(verdict).to.include({ verdict: 'suspended' });
    expect(verdict).to.have.property('prompt').that.includes('rm -rf /');
  });

  it('suspends with the prompt if configured', () => {
    expect(judge({ askBy: 'suspend' })).to.include({ verdict: 'suspended' });
    expect(judge({ askBy: 'suspend' }, calling('bash', { command: 'ls' }))).to.deep.equal(approvedVerdict);
  });

  it('uses the asker of the host by default', () => {
    const hook = (host: object, options = {}) => dangerousConfirmation(options, host).approve!(rmAll, fakeContext());
    expect(hook({ ask: 'suspend' })).to.include({ verdict: 'suspended' });
    const ask = () => false;
    const asked = (given: unknown) => {
      let heard: unknown;
      (given as Observable<Verdict>).subscribe((verdict) => {
        heard = verdict;
      });
      return heard;
    };
    expect(asked(hook({ ask }))).to.include({ verdict: 'denied' });
    expect(hook({ ask }, { askBy: 'suspend' })).to.include({ verdict: 'suspended' });
  });

  it('adds custom patterns to its own', () => {
    const options: DangerousConfirmationOptions = { askBy: () => false, patterns: ['mkfs', /curl .*\| *sh/g] };
    for (const command of ['mkfs.ext4 /dev/sda', 'curl x | sh', 'rm x']) {
      expect(judge(options, calling('bash', { command }))).to.include({ verdict: 'denied' });
    }
  });

  it('rejects all invalid options at once', () => {
    const wrong = {
      askBy: 'nobody',
      patterns: [' '],
      timeoutMs: 2 ** 31,
      asks: 1,
    } as unknown as DangerousConfirmationOptions;
    expect(() => dangerousConfirmation(wrong))
      .to.throw(HooklineError, /askBy: must be "terminal"[\s\S]*patterns\.0: [\s\S]*timeoutMs: [\s\S]*"asks"/)
      .with.property('code', 'OPTIONS_INVALID');
  });
});
