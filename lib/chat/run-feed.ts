import { Observable, type Subscriber, type Subscription } from 'rxjs';
import { isChunk } from '../events/chunk-text.ts';
import type { SettledEvent } from '../events/hook-event.ts';

/** Approximate size of an event without its text. */
const EVENT_COST = 200;

export interface RunFeedOptions {
  readonly events$: Observable<SettledEvent>;
  /** Approximate maximum number of characters stored for later subscribers. */
  readonly maxReplay: number;
  /** Called when the last subscriber leaves before the end. */
  readonly onUnwatched: () => void;
  readonly onEnd: () => void;
}

/**
 * Shares the events of one run. The run starts with the first subscriber and continues without subscribers. Later subscribers get it from its start.
 */
export interface RunFeed {
  readonly events$: Observable<SettledEvent>;
  /** Whether the run can be replayed from its start. */
  readonly replays: boolean;
  /** Whether the current event is older than the subscription. */
  readonly replaying: boolean;
}

export function createRunFeed({ events$, maxReplay, onUnwatched, onEnd }: RunFeedOptions): RunFeed {
  let kept: SettledEvent[] | undefined = [];
  let cost = 0;
  let replaying = false;
  let over: { readonly failed: boolean; readonly thrown?: unknown } | undefined;
  let running: Subscription | undefined;
  const watchers = new Set<Subscriber<SettledEvent>>();

  const end = (failed: boolean, thrown?: unknown): void => {
    over = { failed, thrown };
    for (const watcher of [...watchers]) notifyEnd(watcher);
    watchers.clear();
    onEnd();
  };
  const notifyEnd = (watcher: Subscriber<SettledEvent>): void => {
    if (over?.failed) watcher.error(over.thrown);
    else watcher.complete();
  };
  const next = (event: SettledEvent): void => {
    cost += costOf(event);
    if (cost > maxReplay) kept = undefined;
    kept?.push(event);
    for (const watcher of [...watchers]) watcher.next(event);
  };
  const start = (): void => {
    if (running || over) return;
    running = events$.subscribe({ next, error: (thrown) => end(true, thrown), complete: () => end(false) });
  };

  return {
    get replays() {
      return kept !== undefined && !over;
    },
    get replaying() {
      return replaying;
    },
    events$: new Observable((subscriber) => {
      // Events that arrive during the replay follow after it.
      replaying = true;
      for (let at = 0; kept && at < kept.length && !subscriber.closed; at++) subscriber.next(kept[at] as SettledEvent);
      replaying = false;
      if (over) return notifyEnd(subscriber);
      watchers.add(subscriber);
      start();
      return () => {
        if (watchers.delete(subscriber) && watchers.size === 0 && !over) onUnwatched();
      };
    }),
  };
}

function costOf(event: SettledEvent): number {
  if (isChunk(event)) return EVENT_COST + (event.type === 'reasoningChunk' ? event.delta : event.content).length;
  return 5 * EVENT_COST + (JSON.stringify(ownOf(event))?.length ?? 0);
}

/** Returns the data that is specific to an event. */
function ownOf(event: SettledEvent): unknown {
  if (event.type === 'preCall') return event.messages;
  if (event.type === 'postReasoning' || event.type === 'postCall') return event.message;
  if (event.type === 'preActing') return event.toolCall;
  return event.type === 'postActing' ? [event.toolCall, event.result] : undefined;
}
