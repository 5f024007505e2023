import { expect } from 'chai';
import pino from 'pino';
import { NEVER, type Observable, of, Subject, throwError, timer } from 'rxjs';
import { map } from 'rxjs/operators';
import { TestScheduler } from 'rxjs/testing';
import { type Supervised, supervise } from '../../lib/process-hooks/supervise.ts';

const log = pino({ level: 'silent' });

/** A supervisor in virtual time. Its starts have these `outcomes`, and the last one repeats. */
function scene(run: (at: ReturnType<typeof create>) => void, outcomes: readonly Outcome[]): void {
  const scheduler = new TestScheduler(() => {});
  scheduler.run(({ flush }) => {
    run(create(scheduler, outcomes, flush));
  });
}

type Outcome = 'ready' | 'fails' | 'hangs' | { readonly readyFor: number };

function create(scheduler: TestScheduler, outcomes: readonly Outcome[], flush: () => void) {
  const starts: number[] = [];
  const ends: Subject<string>[] = [];
  const heard: string[] = [];
  const supervisor = supervise<Supervised & { nth: number }>({
    name: 'h',
    scheduler,
    log,
    start: () => {
      starts.push(scheduler.now());
      const nth = starts.length;
      const outcome = outcomes[Math.min(nth, outcomes.length) - 1];
      if (outcome === 'fails') return throwError(() => new Error('no such program'));
      if (outcome === 'hangs') return NEVER;
      const end$ = new Subject<string>();
      ends.push(end$);
      const ended$: Observable<string> =
        typeof outcome === 'object' ? timer(outcome.readyFor, scheduler).pipe(map(() => 'exited with code 1')) : end$;
      return of({ nth, ended$, stop: async () => {} });
    },
  });
  const at = (frame: number, action: () => void) => scheduler.schedule(action, frame);
  const use = () =>
    supervisor.use().subscribe({
      next: ({ nth }) => heard.push(`${scheduler.now()} up ${nth}`),
      error: (error: Error) => heard.push(`${scheduler.now()} ${error.message}`),
    });
  return { supervisor, starts, ends, heard, at, use, flush };
}

describe('a supervisor', () => {
  it('starts on demand, once for all subscribers', () => {
    scene(
      ({ at, use, flush, starts, heard }) => {
        at(100, use);
        at(200, use);
        flush();
        expect(starts).to.deep.equal([100]);
        expect(heard).to.deep.equal(['100 up 1', '200 up 1']);
      },
      ['ready'],
    );
  });

  it('restarts 250 ms after an end, with doubled pauses, up to five failures', () => {
    scene(
      ({ at, use, flush, starts }) => {
        at(0, use);
        flush();
        expect(starts).to.deep.equal([0, 260, 770, 1_780, 3_790]);
      },
      [{ readyFor: 10 }],
    );
  });

  it('errors at once while it is down, with the time of the next attempt', () => {
    scene(
      ({ at, use, flush, heard }) => {
        at(0, use);
        at(50, use);
        flush();
        expect(heard[1]).to.equal('50 Hook process "h" is down: exited with code 1. The next attempt is in 210 ms.');
      },
      [{ readyFor: 10 }, 'ready'],
    );
  });

  it('tries only on demand, 30 s after the fifth failure, and success resets the count', () => {
    scene(
      ({ at, use, flush, starts, heard, supervisor, ends }) => {
        at(0, use);
        at(20_000, use);
        at(40_000, use);
        at(40_001, () => supervisor.worked());
        at(50_000, () => ends[0]?.next('was killed by SIGKILL'));
        flush();
        expect(starts).to.deep.equal([0, 250, 750, 1_750, 3_750, 40_000, 50_250]);
        expect(heard.slice(1)).to.deep.equal([
          '20000 Hook process "h" is down: no such program. The next attempt is in 13750 ms.',
          '40000 up 6',
        ]);
      },
      ['fails', 'fails', 'fails', 'fails', 'fails', 'ready'],
    );
  });

  it('does not reset the count when a program only starts', () => {
    scene(
      ({ at, use, flush, starts }) => {
        at(0, use);
        at(60_000, use);
        flush();
        expect(starts.length).to.equal(6);
      },
      [{ readyFor: 0 }],
    );
  });

  it('resets the count for a program that ran for the longest pause without an answer', () => {
    scene(
      ({ at, use, flush, starts }) => {
        at(0, use);
        at(400_000, () => {});
        flush();
        expect(starts.slice(0, 6)).to.deep.equal([0, 30_250, 60_500, 90_750, 121_000, 151_250]);
      },
      [...Array(8).fill({ readyFor: 30_000 }), 'ready'],
    );
  });

  it('stops a pending start at once, with an error for subscribers', () => {
    scene(
      ({ at, use, flush, starts, heard, supervisor }) => {
        at(0, use);
        at(100, () => void supervisor.stop());
        flush();
        expect(starts).to.deep.equal([0]);
        expect(heard).to.deep.equal(['100 Hook process "h" is down: it was stopped.']);
      },
      ['hangs'],
    );
  });

  it('does not start after it was stopped', () => {
    scene(
      ({ at, use, flush, starts, heard, supervisor }) => {
        at(0, use);
        at(100, () => void supervisor.stop());
        at(200, use);
        flush();
        expect(starts).to.deep.equal([0]);
        expect(heard.at(-1)).to.equal('200 Hook process "h" is down: it was stopped.');
      },
      [{ readyFor: 10 }],
    );
  });

  it('does not restart after it was stopped during a pause', () => {
    for (const outcome of ['fails', { readyFor: 10 }] as const) {
      scene(
        ({ at, use, flush, starts, supervisor }) => {
          at(0, use);
          at(100, () => void supervisor.stop());
          flush();
          expect(starts).to.deep.equal([0]);
        },
        [outcome],
      );
    }
  });
});
