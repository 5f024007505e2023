import { expect } from 'chai';
import { mergeMap, Observable, of, Subject, Subscription, takeUntil } from 'rxjs';
import { LoggingSubscriber } from '../../../lib/pipeline/flow/logging-subscriber.ts';

class Kept extends LoggingSubscriber<number> {
  readonly heard: unknown[] = [];

  constructor(lines: unknown[] = []) {
    const write = (line: unknown) => void lines.push(line);
    super({ debug: write, info: write, warn: write, error: write });
  }

  protected override _next(value: number): void {
    this.heard.push(value);
  }

  protected override _error(thrown: unknown): void {
    this.heard.push(thrown);
    this.unsubscribe();
  }

  protected override _complete(): void {
    this.heard.push('|');
    this.unsubscribe();
  }
}

describe('a logging subscriber', () => {
  it('is the same subscriber that an Observable receives and the source of operators', () => {
    const link = new Kept();
    let given: unknown;
    const source = new Observable<number>((subscriber) => {
      given = subscriber;
      subscriber.next(1);
      subscriber.complete();
    });
    expect(source.subscribe(link)).to.equal(link);
    expect(given).to.equal(link);
    expect([link.heard, link.closed]).to.deep.equal([[1, '|'], true]);

    const mapped = new Kept();
    const stop$ = new Subject<void>();
    of(1, 2)
      .pipe(
        mergeMap((n) => of(n, 10 * n)),
        takeUntil(stop$),
      )
      .subscribe(mapped);
    expect(mapped.heard).to.deep.equal([1, 10, 2, 20, '|']);
    expect(stop$.observed).to.equal(false);
  });

  it('ignores values after completion, failure or unsubscribe', () => {
    const [completed, failed, left] = [new Kept(), new Kept(), new Kept()];
    const end = new Error('end');
    completed.complete();
    failed.error(end);
    left.unsubscribe();
    for (const link of [completed, failed, left]) {
      link.next(1);
      link.error(new Error('late'));
      link.complete();
    }
    expect([completed.heard, failed.heard, left.heard]).to.deep.equal([['|'], [end], []]);
  });

  it('unsubscribes its teardowns once, in order, and at once after its end', () => {
    const link = new Kept();
    const order: number[] = [];
    link.add(() => order.push(1));
    const taken = { unsubscribe: () => order.push(2) };
    link.add(taken);
    link.add(new Subscription(() => order.push(3)));
    link.add(undefined);
    link.add(link as never);
    link.remove(taken);
    link.unsubscribe();
    link.unsubscribe();
    link.add(() => order.push(4));
    expect(order).to.deep.equal([1, 3, 4]);

    const single = new Kept();
    const only = (): unknown => order.push(5);
    single.add(only as () => void);
    single.remove(only as () => void);
    single.unsubscribe();
    expect(order).to.deep.equal([1, 3, 4]);
  });

  it('logs errors of its teardowns and runs all of them', () => {
    for (const count of [1, 2]) {
      const lines: unknown[] = [];
      const link = new Kept(lines);
      let done = 0;
      for (let nth = 0; nth < count; nth++)
        link.add(() => {
          done += 1;
          throw new Error(`issue ${nth}`);
        });
      link.unsubscribe();
      expect(done).to.equal(count);
      expect(lines).to.have.length(1);
    }
  });

  it('unsubscribes outer and inner sources of operators, active ones only', () => {
    const link = new Kept();
    const gone: number[] = [];
    const source$ = new Subject<number>();
    const innerOf = (n: number) =>
      new Observable<number>((subscriber) => {
        subscriber.next(n);
        if (n < 3) subscriber.complete();
        return () => gone.push(n);
      });
    source$.pipe(mergeMap(innerOf)).subscribe(link);
    for (const n of [0, 1, 2, 3, 4]) source$.next(n);
    expect([link.heard, gone]).to.deep.equal([
      [0, 1, 2, 3, 4],
      [0, 1, 2],
    ]);
    link.unsubscribe();
    expect([source$.observed, gone]).to.deep.equal([false, [0, 1, 2, 3, 4]]);
  });
});
