import type { Observable, Subscription } from 'rxjs';
import type { EventOf, EventType, SettledEvent } from '../events/hook-event.ts';
import { defineHook } from '../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../pipeline/define/hook.ts';
import { describeEvent } from './describe-event.ts';

/** A hook that stores observed events. Use it in a pipeline, or call `follow` with a stream. */
export interface Recorder extends Hook {
  /** All events so far, in order. */
  readonly events: readonly SettledEvent[];
  /** Returns the events of these types. */
  of<T extends EventType>(...types: readonly T[]): readonly SettledEvent<EventOf<T>>[];
  /** Returns the events (of these types, if any) as one-line descriptions. */
  lines(...types: readonly EventType[]): readonly string[];
  /** Subscribes to a stream and also stores its events. */
  follow(events$: Observable<SettledEvent>): Subscription;
  clear(): void;
}

/** Creates a recorder. A pipeline with two of them needs a `name` for one. */
export function recorder(name = 'recorder'): Recorder {
  const events: SettledEvent[] = [];
  const keep = (event: SettledEvent): void => void events.push(event);
  const pick = (types: readonly EventType[]) => events.filter(({ type }) => types.length === 0 || types.includes(type));
  return Object.freeze({
    ...defineHook({ name, priority: HookPriority.METRICS, observe: keep }),
    events,
    of: <T extends EventType>(...types: readonly T[]) => pick(types) as unknown as SettledEvent<EventOf<T>>[],
    lines: (...types: readonly EventType[]) => pick(types).map((event) => describeEvent(event)),
    follow: (events$: Observable<SettledEvent>) => events$.subscribe(keep),
    clear: () => void events.splice(0),
  });
}
