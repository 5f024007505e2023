import { expect } from 'chai';
import { pino } from 'pino';
import { ReplaySubject, Subject, throwError } from 'rxjs';
import { createNotifier } from '../../../../lib/process-hooks/picoclaw/observe/notifier.ts';

function scene() {
  const logged: { msg: string; dropped?: number }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const up$ = new ReplaySubject<string>(1);
  const teller = createNotifier('h', () => up$, log);
  const told: number[] = [];
  const tell = (from: number, to: number): void => {
    for (let nth = from; nth < to; nth += 1) teller.notify(() => told.push(nth));
  };
  return { logged, log, up$, teller, told, tell };
}

describe('notifications during the hello of a hook process', () => {
  it('keeps the first 1,024 in order, and logs the number of dropped ones once', () => {
    const { logged, up$, teller, told, tell } = scene();
    tell(0, 1_500);
    expect([teller.waiting, told.length, logged]).to.deep.equal([1_024, 0, []]);
    up$.next('up');
    expect(told).to.deep.equal(Array.from({ length: 1_024 }, (_, nth) => nth));
    expect([teller.waiting, logged.map(({ dropped }) => dropped)]).to.deep.equal([0, [476]]);
  });

  it('has no limit for a ready process, and logs nothing without drops', () => {
    const { logged, up$, told, tell } = scene();
    tell(0, 1_024);
    up$.next('up');
    tell(1_024, 5_000);
    expect([told.length, logged]).to.deep.equal([5_000, []]);
  });

  it('restarts the count at the next start, and after a failed start', () => {
    const { logged, log } = scene();
    let up$ = new Subject<string>();
    const teller = createNotifier('h', () => up$, log);
    for (const more of [1, 2]) {
      for (let nth = 0; nth < 1_024 + more; nth += 1) teller.notify(() => {});
      up$.error(new Error('down'));
      up$ = new Subject();
    }
    expect(logged.map(({ dropped }) => dropped)).to.deep.equal([1, 2]);
  });

  it('continues if a notification throws or the process is down', () => {
    const { logged, log, up$, teller, told, tell } = scene();
    up$.next('up');
    teller.notify(() => {
      throw new Error('full');
    });
    tell(0, 1);
    createNotifier('h', () => throwError(() => new Error('down')), log).notify(() => told.push(9));
    expect([told, logged.map(({ msg }) => msg)]).to.deep.equal([[0], ['an event could not be sent to a hook process']]);
  });
});
