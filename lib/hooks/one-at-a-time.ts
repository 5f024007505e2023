import { concat, defer, ignoreElements, Observable, of, ReplaySubject } from 'rxjs';

/** Creates a queue: work under one name begins after the previous work has ended, in any way. */
export function oneAtATime(): <T>(name: string, work: () => Observable<T>) => Observable<T> {
  const last = new Map<string, Observable<never>>();
  return (name, work) =>
    new Observable((subscriber) => {
      const done = new ReplaySubject<never>();
      const before = last.get(name) ?? of<never[]>().pipe(ignoreElements());
      last.set(name, done);
      subscriber.add(() => {
        if (last.get(name) === done) last.delete(name);
        // A cancelled entry must not let later work pass earlier work.
        before.subscribe({ complete: () => done.complete() });
      });
      subscriber.add(concat(before, defer(work)).subscribe(subscriber));
    });
}
