import { concat, defer, ignoreElements, interval, map, merge, type Observable, of, takeUntil } from 'rxjs';
import type { ConfigChange, LiveHooks } from '../../config/index.ts';
import { type IssueBody, toIssueBodies } from '../http/problem.ts';
import { HEARTBEAT_MS, heartbeatFrame, sseFrame } from '../sse/sse-frame.ts';
import { type StreamQuota, streamQuota } from '../sse/stream-quota.ts';

const MOST_STREAMS = 100;
const MOST_PER_USER = 10;
const MOST_WAITING = 100;

/** State of the configuration files. */
export type HookState = Omit<ConfigChange, 'issues' | 'notices'> & {
  readonly issues: readonly IssueBody[];
  readonly more?: number;
};

/** The current state of the hooks, in the form of the last change. */
export function stateOf({ generation, refused }: LiveHooks): HookState {
  return shownState(
    refused.length > 0
      ? { type: 'refused', generation, issues: refused }
      : { type: 'reloaded', generation, notices: [] },
  );
}

const quotas = new WeakMap<LiveHooks, StreamQuota>();

/** The current state and every later one as server-sent events, named by their types. A client that stops reading misses states. */
export function hookChanges(live: LiveHooks, user: string): ReadableStream<Uint8Array> {
  const quota = quotas.get(live) ?? streamQuota(MOST_STREAMS, MOST_PER_USER);
  quotas.set(live, quota);
  const release = quota.take(user);
  const encoder = new TextEncoder();
  const events$ = concat(
    defer(() => of(frame(stateOf(live)))),
    live.changes$.pipe(map((change) => frame(shownState(change)))),
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

/** Heartbeats until the changes complete. */
function heartbeat({ changes$ }: LiveHooks): Observable<string> {
  const end$ = concat(changes$.pipe(ignoreElements()), of(undefined));
  return interval(HEARTBEAT_MS).pipe(
    map(() => heartbeatFrame),
    takeUntil(end$),
  );
}

function shownState(change: ConfigChange): HookState {
  const { type, generation } = change;
  return { type, generation, ...toIssueBodies(change.type === 'refused' ? change.issues : []) };
}

function frame(state: HookState): string {
  return sseFrame(state.type, JSON.stringify(state));
}
