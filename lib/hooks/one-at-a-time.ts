import { concat, defer, ignoreElements, Observable, of, ReplaySubject } from 'rxjs';

/** Makes a queue: work under one name begins when the work before it has ended, however it ended. */
export function oneAtATime(): <T>(name: string, work: () => Observable<T>) => Observable<T> {
  const last = new Map<string, Observable<never>>();
  return (name, work) =>
    new Observable((subscriber) => {
      const done = new ReplaySubject<never>();
      const before = last.get(name) ?? of<never[]>().pipe(ignoreElements());
      last.set(name, done);
      subscriber.add(() => {
        if (last.get(name) === done) last.delete(name);
        // Whoever gave up its place lets nobody pass those before it.
        before.subscribe({ complete: () => done.complete() });
      });
      subscriber.add(concat(before, defer(work)).subscribe(subscriber));
    });
}
