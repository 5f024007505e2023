import { asyncScheduler, type Observable, type Unsubscribable } from 'rxjs';
import { isChunk } from '../../events/chunk-text.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Permission } from '../../events/parts/tool-description.ts';
import { Fifo } from '../../events/values/fifo.ts';
import { isAsync } from '../../events/values/is-async.ts';
import type { ObserveStage } from '../define/plan.ts';
import type { Logger } from '../logger.ts';
import { defaultTimeouts } from '../settings.ts';
import { stepsOf } from '../trace/tracer.ts';
import { runLater, withTimeout } from './handler-timeout.ts';
import { leaseOf } from './lease.ts';
import type { Lease, ObserverQueue, RunScope } from './run-scope.ts';

/** Maximum chunks that wait for an observer. Further ones are dropped for it. Other events always wait. */
const MAX_CHUNKS = 1_000;

/** Milliseconds that `flush` waits for observers without a timeout. */
const FLUSH_MS = 60_000;

/** Notifies the observing hooks of all runs of a pipeline. */
export interface Observers {
  notify(event: SettledEvent, scope: RunScope): void;
  flush(): Promise<void>;
  droppedChunks(): Readonly<Record<string, number>>;
}

/** One queue per run and observing hook, so that a slow one does not delay others. */
export function createObservers(log: Logger): Observers {
  const dropped: Record<string, number> = {};
  /** The permissions of calls, because chunks and errors of a call do not contain them. */
  const permissions = new WeakMap<ToolCall, Permission>();
  let pending = 0;
  /** The running observers without a timeout. */
  const endless: string[] = [];
  let waiters: (() => void)[] = [];
  let patience: Unsubscribable | undefined;

  function offer(place: number, event: SettledEvent, scope: RunScope): void {
    const stage = scope.plan.observers[place] as ObserveStage;
    const { applies, hook } = stage;
    if (applies && 'toolCall' in event) {
      const permission = permissions.get(event.toolCall) ?? 'external';
      if (!applies(event.toolCall.name, permission)) return;
    }
    const queue = scope.queues?.[place];
    if (!queue?.busy) {
      show(place, event, scope);
      return;
    }
    const chunk = isChunk(event);
    if (chunk && queue.chunks >= MAX_CHUNKS) {
      queue.dropped += 1;
      dropped[hook.name] = (dropped[hook.name] ?? 0) + 1;
      return;
    }
    if (chunk) queue.chunks += 1;
    queue.waiting.push(event);
  }

  function show(place: number, event: SettledEvent, scope: RunScope): void {
    const { hook, index, observe } = scope.plan.observers[place] as ObserveStage;
    const lease = leaseOf(scope, hook, index);
    lease.observing = true;
    try {
      const steps = hook.traced ? (stepsOf(event) ?? []) : undefined;
      const returned = observe(event, lease.context, steps);
      if (isAsync(returned)) waitFor(place, event, scope, returned, lease);
      else lease.observing = false;
    } catch (thrown) {
      lease.observing = false;
      failed(place, event, scope, thrown);
    }
  }

  function waitFor(
    place: number,
    event: SettledEvent,
    scope: RunScope,
    returned: PromiseLike<unknown> | Observable<unknown>,
    lease: Lease,
  ): void {
    const { hook, index } = scope.plan.observers[place] as ObserveStage;
    scope.leases[index] = undefined;
    const queue = queueOf(scope, place);
    queue.busy = true;
    pending += 1;
    const bounded = hook.timeoutMs !== Number.POSITIVE_INFINITY;
    if (!bounded) endless.push(hook.name);
    const done = (): void => {
      lease.observing = false;
      if (!bounded) endless.splice(endless.indexOf(hook.name), 1);
    };
    const timing = { hook, where: 'observe', ms: defaultTimeouts.observe, lease };
    withTimeout(returned, scope.settings, timing).subscribe({
      error: (thrown) => {
        done();
        failed(place, event, scope, thrown);
        next(place, queue, scope);
      },
      complete() {
        done();
        next(place, queue, scope);
      },
    });
  }

  function failed(place: number, event: SettledEvent, scope: RunScope, thrown: unknown): void {
    const hook = scope.plan.observers[place]?.hook.name;
    scope.log.error({ hook, event: event.type, err: thrown }, 'an observer failed');
  }

  function next(place: number, queue: ObserverQueue, scope: RunScope): void {
    queue.busy = false;
    if (queue.draining) {
      pending -= 1;
      return;
    }
    queue.draining = true;
    while (!queue.busy && queue.waiting.length > 0) {
      const event = queue.waiting.shift() as SettledEvent;
      if (isChunk(event)) queue.chunks -= 1;
      show(place, event, scope);
    }
    queue.draining = false;
    pending -= 1;
    if (!queue.busy && queue.dropped > 0) {
      scope.log.warn(
        { hook: scope.plan.observers[place]?.hook.name, dropped: queue.dropped },
        'an observer was too slow and was spared some chunks',
      );
      queue.dropped = 0;
    }
    if (pending === 0) flushed();
  }

  function waitAMinute(): void {
    patience = runLater(asyncScheduler, FLUSH_MS, () => {
      // An observer with a timeout ends by itself.
      if (pending > endless.length) {
        waitAMinute();
        return;
      }
      const hooks = [...new Set(endless)];
      log.warn({ hooks, ms: FLUSH_MS }, 'flush no longer waits for observers without a time limit');
      flushed();
    });
  }

  function flushed(): void {
    patience?.unsubscribe();
    const released = waiters;
    waiters = [];
    for (const waiter of released) waiter();
  }

  return {
    notify(event, scope) {
      const { length } = scope.plan.observers;
      if (length === 0) return;
      if ('permission' in event) permissions.set(event.toolCall, event.permission);
      for (let place = 0; place < length; place++) offer(place, event, scope);
    },
    flush: () =>
      pending === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            if (waiters.push(resolve) === 1) waitAMinute();
          }),
    droppedChunks: () => ({ ...dropped }),
  };
}

/** Created when an observer of this run is first asynchronous. Most never are. */
function queueOf(scope: RunScope, place: number): ObserverQueue {
  scope.queues ??= [];
  scope.queues[place] ??= { busy: false, draining: false, chunks: 0, dropped: 0, waiting: new Fifo() };
  return scope.queues[place];
}
