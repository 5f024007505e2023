import type { Settled } from '../events/hook-event.ts';
import type { ToolCall } from '../events/tool-call.ts';
import type { Permission } from '../events/tool-description.ts';
import { isLater, toBounded } from './later.ts';
import type { ObserverQueue } from './observer-queue.ts';
import { leaseOf, type RunScope } from './run-scope.ts';
import { defaultTimeouts } from './settings.ts';

/** Chunks that may wait for an observer; further ones are spared it. Other events always wait. */
const MAX_CHUNKS = 1_000;

/** Tells the observing hooks of all runs of a pipeline. */
export interface Observers {
  notify(event: Settled, scope: RunScope): void;
  drained(): Promise<void>;
  dropped(): Readonly<Record<string, number>>;
}

/** One queue for each run and observing hook, so that a slow one delays nobody but itself. */
export function createObservers(): Observers {
  const dropped: Record<string, number> = {};
  /** What calls may touch: chunks and errors of a call do not say it themselves. */
  const permissions = new WeakMap<ToolCall, Permission>();
  let pending = 0;
  let waiters: (() => void)[] = [];

  function queuesOf(scope: RunScope): readonly ObserverQueue[] {
    scope.queues ??= scope.plan.observers.map(
      (stage): ObserverQueue => ({ stage, busy: false, draining: false, chunks: 0, dropped: 0, waiting: [] }),
    );
    return scope.queues;
  }

  function offer(queue: ObserverQueue, event: Settled, scope: RunScope): void {
    const { applies, hook } = queue.stage;
    if (applies && 'toolCall' in event) {
      const permission = permissions.get(event.toolCall) ?? 'external';
      if (!applies(event.toolCall.name, permission)) return;
    }
    const chunk = isChunk(event);
    if (!queue.busy) {
      show(queue, event, scope);
      return;
    }
    if (chunk && queue.chunks >= MAX_CHUNKS) {
      queue.dropped += 1;
      dropped[hook.name] = (dropped[hook.name] ?? 0) + 1;
      return;
    }
    if (chunk) queue.chunks += 1;
    queue.waiting.push(event);
  }

  function show(queue: ObserverQueue, event: Settled, scope: RunScope): void {
    const { hook, index, observe } = queue.stage;
    const failed = (thrown: unknown) =>
      scope.log.error({ hook: hook.name, event: event.type, err: thrown }, 'an observer failed');
    try {
      const lease = leaseOf(scope, hook, index);
      const returned = observe(event, lease);
      if (!isLater(returned)) return;
      scope.leases[index] = undefined;
      queue.busy = true;
      pending += 1;
      const timing = { hook, where: 'observe', ms: defaultTimeouts.observe, lease };
      toBounded(returned, scope.settings, timing).subscribe({
        error: (thrown) => {
          failed(thrown);
          next(queue, scope);
        },
        complete: () => next(queue, scope),
      });
    } catch (thrown) {
      failed(thrown);
    }
  }

  function next(queue: ObserverQueue, scope: RunScope): void {
    queue.busy = false;
    if (queue.draining) {
      pending -= 1;
      return;
    }
    queue.draining = true;
    while (!queue.busy && queue.waiting.length > 0) {
      const event = queue.waiting.shift() as Settled;
      if (isChunk(event)) queue.chunks -= 1;
      show(queue, event, scope);
    }
    queue.draining = false;
    pending -= 1;
    if (!queue.busy && queue.dropped > 0) {
      scope.log.warn(
        { hook: queue.stage.hook.name, dropped: queue.dropped },
        'an observer was too slow and was spared some chunks',
      );
      queue.dropped = 0;
    }
    if (pending > 0) return;
    const told = waiters;
    waiters = [];
    for (const waiter of told) waiter();
  }

  return {
    notify(event, scope) {
      if (scope.plan.observers.length === 0) return;
      if ('permission' in event) permissions.set(event.toolCall, event.permission);
      for (const queue of queuesOf(scope)) offer(queue, event, scope);
    },
    drained: () => (pending === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
    dropped: () => ({ ...dropped }),
  };
}

function isChunk(event: Settled): boolean {
  return event.type === 'reasoningChunk' || event.type === 'actingChunk';
}
