import { Observable, type Subscriber } from 'rxjs';
import { createSink } from './sink.ts';

/** The subscriptions to one `next`, of which only the latest gets anything. */
export interface LatestOnly<Item> {
  /** How many there have been. */
  readonly begun: number;
  /** What `start` gives, once for each subscription, until a later one begins. */
  of(start: () => Observable<Item>): Observable<Item>;
}

/**
 * Cuts the source of a subscription when a later one begins, and tells `onFurther`. The earlier subscriber is left in silence and
 * completes after the latest: to complete at once would end a race of the two, never to complete would hold up a merge.
 */
export function createLatestOnly<Item>(onFurther: () => void): LatestOnly<Item> {
  let begun = 0;
  let cut: (() => void) | undefined;
  const silenced = new Set<Subscriber<Item>>();
  return {
    get begun() {
      return begun;
    },
    of: (start) =>
      new Observable<Item>((subscriber) => {
        const sink = createSink<Item>({
          next: (item) => subscriber.next(item),
          error: (thrown) => subscriber.error(thrown),
          complete: () => subscriber.complete(),
        });
        const own = (): void => {
          silenced.add(subscriber);
          sink.unsubscribe();
        };
        cut?.();
        cut = own;
        begun += 1;
        if (begun > 1) onFurther();
        subscriber.add(() => {
          sink.unsubscribe();
          silenced.delete(subscriber);
          if (cut !== own) return;
          cut = undefined;
          for (const earlier of silenced) earlier.complete();
        });
        start().subscribe(sink);
      }),
  };
}
