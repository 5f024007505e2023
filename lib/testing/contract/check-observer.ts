import { defer, from, ignoreElements, isObservable, of } from 'rxjs';
import type { HookEvent } from '../../events/hook-event.ts';
import { deepFreeze } from '../../events/values/deep-freeze.ts';
import { isThenable } from '../../events/values/is-async.ts';
import { leaseOf } from '../../pipeline/run/lease.ts';
import { anEvent } from '../an-event.ts';
import { describeEvent } from '../describe-event.ts';
import { testScope } from '../test-scope.ts';
import { type Bench, NEEDS_REAL_TIME } from './bench.ts';

/** Sends every kind of event to the observer of the hook, which must neither fail nor change them. */
export async function checkObserver(bench: Bench, events: readonly HookEvent[], real: boolean): Promise<void> {
  const { observe } = bench.hook;
  if (!observe) return;
  for (const event of events) {
    await bench.play({
      where: 'observe',
      when: `with ${describeEvent(event, 30)}`,
      start: (hook, options) =>
        defer(() => {
          const { context } = leaseOf(testScope([hook], event.run, options), hook, 0);
          const returned = observe(deepFreeze(anEvent.settled(event)), context);
          if (isObservable(returned)) return returned;
          if (!isThenable(returned)) return of(undefined);
          if (!real) throw NEEDS_REAL_TIME;
          return from(returned);
        }).pipe(ignoreElements()),
    });
  }
}
