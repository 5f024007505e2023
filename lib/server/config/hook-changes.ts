import { concat, defer, ignoreElements, interval, map, merge, type Observable, of, takeUntil } from 'rxjs';
import type { ConfigChange, LiveHooks } from '../../config/index.ts';
import { type ToldFault, toldFaults } from '../http/problem.ts';
import { HEARTBEAT_MS, heartbeatFrame, sseFrame } from '../sse/sse-frame.ts';
import { type StreamQuota, streamQuota } from '../sse/stream-quota.ts';

const MOST_STREAMS = 100;
const MOST_PER_USER = 10;
const MOST_WAITING = 100;

/** What the configuration files have come to. */
export type HookState = Omit<ConfigChange, 'faults' | 'notices'> & {
  readonly faults: readonly ToldFault[];
  readonly more?: number;
};

/** The state that the hooks are in: the last change, told as it would have been. */
export function stateOf({ generation, refused }: LiveHooks): HookState {
  return told(
    refused.length > 0
      ? { type: 'refused', generation, faults: refused }
      : { type: 'reloaded', generation, notices: [] },
  );
}

const quotas = new WeakMap<LiveHooks, StreamQuota>();

/** The state now and after every reload, as server-sent events; the name of each is its type. Who takes nothing misses states that have passed. */
export function hookChanges(live: LiveHooks, user: string): ReadableStream<Uint8Array> {
  const quota = quotas.get(live) ?? streamQuota(MOST_STREAMS, MOST_PER_USER);
  quotas.set(live, quota);
  const release = quota.take(user);
  const encoder = new TextEncoder();
  const events$ = concat(
    defer(() => of(frame(stateOf(live)))),
    live.changes$.pipe(map((change) => frame(told(change)))),
  );
  const text$ = merge(events$, heartbeat(live));
  let stop = (): void => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const listening = text$.subscribe({
        next: (text) => (controller.desiredSize ?? 0) > -MOST_WAITING && controller.enqueue(encoder.encode(text)),
        complete: () => controller.close(),
      });
      listening.add(release);
      stop = () => listening.unsubscribe();
    },
    cancel: () => stop(),
  });
}

/** A sign of life, until there are no changes any more. */
function heartbeat({ changes$ }: LiveHooks): Observable<string> {
  const end$ = concat(changes$.pipe(ignoreElements()), of(undefined));
  return interval(HEARTBEAT_MS).pipe(
    map(() => heartbeatFrame),
    takeUntil(end$),
  );
}

function told(change: ConfigChange): HookState {
  const { type, generation } = change;
  return { type, generation, ...toldFaults(change.type === 'refused' ? change.faults : []) };
}

function frame(state: HookState): string {
  return sseFrame(state.type, JSON.stringify(state));
}
