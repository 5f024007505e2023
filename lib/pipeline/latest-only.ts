import { Observable, type Subscriber } from 'rxjs';
import { Relay } from './relay.ts';

/** The subscriptions to one `next`, of which only the latest gets anything. */
export interface LatestOnly<Item> {
  /** How many there have been. */
  readonly begun: number;
  /** What `start` gives, once for each subscription, until a later one begins. */
  of(start: () => Observable<Item>): Observable<Item>;
}

/**
 * Cuts the source of a subscription when a later one begins, and tells `onFurther`; `onError` sees an error before it is passed on. The earlier subscriber is left in silence and
 * completes after the latest: to complete at once would end a race of the two, never to complete would hold up a merge.
 */
export function createLatestOnly<Item>(onFurther: () => void, onError: (thrown: unknown) => void): LatestOnly<Item> {
  let begun = 0;
  let cut: (() => void) | undefined;
  const silenced = new Set<Subscriber<Item>>();
  return {
    get begun() {
      return begun;
    },
    of: (start) =>
      new Observable<Item>((subscriber) => {
        const relay = new Relay(subscriber, (thrown) => {
          if (thrown) onError(thrown.error);
          return true;
        });
        const own = (): void => {
          silenced.add(subscriber);
          relay.unsubscribe();
        };
        cut?.();
        cut = own;
        begun += 1;
        if (begun > 1) onFurther();
        subscriber.add(() => {
          relay.unsubscribe();
          silenced.delete(subscriber);
          if (cut !== own) return;
          cut = undefined;
          for (const earlier of silenced) earlier.complete();
        });
        start().subscribe(relay);
      }),
  };
}
