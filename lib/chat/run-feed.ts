import { Observable, type Subscriber, type Subscription } from 'rxjs';
import { isChunk } from '../events/chunk-text.ts';
import type { SettledEvent } from '../events/hook-event.ts';

/** About what an event takes beside its text. */
const EVENT_COST = 200;

/** What a feed is made of. */
export interface RunFeedOptions {
  readonly events$: Observable<SettledEvent>;
  /** Characters, about, that are kept for those who come later. */
  readonly maxReplay: number;
  /** Told when the last of those who watched has left before the end. */
  readonly onUnwatched: () => void;
  readonly onEnd: () => void;
}

/** The events of one run for all who watch it. It begins with the first of them, goes on without them, and is told from its start to who comes later. */
export interface RunFeed {
  readonly events$: Observable<SettledEvent>;
  /** Whether it can still be told from its start. */
  readonly replays: boolean;
  /** Whether what is being told now was there before the one who is told came. */
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
    for (const watcher of [...watchers]) tellEnd(watcher);
    watchers.clear();
    onEnd();
  };
  const tellEnd = (watcher: Subscriber<SettledEvent>): void => {
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
      // What comes while it is told what was comes behind that.
      replaying = true;
      for (let at = 0; kept && at < kept.length && !subscriber.closed; at++) subscriber.next(kept[at] as SettledEvent);
      replaying = false;
      if (over) return tellEnd(subscriber);
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

/** What an event holds that no other one does. */
function ownOf(event: SettledEvent): unknown {
  if (event.type === 'preCall') return event.messages;
  if (event.type === 'postReasoning' || event.type === 'postCall') return event.message;
  if (event.type === 'preActing') return event.toolCall;
  return event.type === 'postActing' ? [event.toolCall, event.result] : undefined;
}
