import { defer, filter, interval, map, Subject } from 'rxjs';
import { z } from 'zod';
import { type Answerer, mayAnswer } from '../approvals/answerer-of.ts';
import { type Approval, approvalSchema } from '../approvals/approval.ts';
import { type RunView, runViewSchema } from '../runs/run-view.ts';
import { HEARTBEAT_MS, heartbeatFrame, sseFrame } from '../sse/sse-frame.ts';

/** Changes of runs and approvals: the data of the events `run`, `approval`, `answered` and `ready`. */
export const activitySchema = z
  .union([
    runViewSchema.describe('run: the current state of a run.'),
    approvalSchema.describe('approval: a call is pending.'),
    z
      .strictObject({
        id: z.string(),
        runId: z.string(),
        user: z.string(),
        action: z.enum(['approve', 'deny']).exactOptional(),
        by: z.string().exactOptional(),
      })
      .describe('answered: a call is no longer pending. Without an action, its run was cancelled.'),
    z.strictObject({}).describe('ready: the initial state is complete.'),
  ])
  .meta({ id: 'Activity' });

/** A change, and the owner of its run. */
export interface Activity {
  readonly type: 'run' | 'approval' | 'answered';
  readonly user: string;
  readonly data: { readonly runId: string; readonly [field: string]: unknown };
}

export interface Reader {
  readonly who: Answerer;
  /** Whether the reader receives the approvals that it may answer. */
  readonly approves: boolean;
  /** Whether the reader receives the runs of all users. */
  readonly all: boolean;
}

/** Streams the changes of this server to clients. */
export interface Activities {
  publish(activity: Activity): void;
  /** Sends the current state, then `ready`, then changes. Of other users, it contains the runs only for `all`, and the approvals that the reader may answer. */
  stream(reader: Reader, now: () => Promise<readonly Activity[]>, release: () => void): ReadableStream<Uint8Array>;
  /** Ends all streams. */
  close(): void;
}

/** The state that a client receives first: runs that have not ended, and approvals. */
export function currentActivities(
  runs: readonly { readonly view: RunView }[],
  approvals: readonly Approval[],
): readonly Activity[] {
  const open = runs.filter(({ view }) => view.state !== 'ended');
  return [...open.map(({ view }) => runActivity(view)), ...approvals.map(approvalActivity)];
}

/**
 * Maximum number of unread frames per client, after the first batch. A client that exceeds it is disconnected, and gets the whole state when it
 * reconnects.
 */
const MOST_WAITING = 1_000;

export function createActivities(): Activities {
  const all$ = new Subject<Activity>();
  const encoder = new TextEncoder();

  return {
    publish: (activity) => all$.next(activity),
    close: () => all$.complete(),
    stream(reader, now, release) {
      let stop = (): void => {};
      const after$ = all$.pipe(filter(maySee(reader)), map(frameOf));
      return new ReadableStream<Uint8Array>({
        start(controller) {
          const enqueue = (text: string): void => {
            controller.enqueue(encoder.encode(text));
            if ((controller.desiredSize ?? 0) > -MOST_WAITING) return;
            stop();
            controller.error(new Error('The client does not read its stream.'));
          };
          // Changes during the lookup are sent after it in the same batch, so that only later unread frames count towards the limit.
          const held: string[] = [];
          let ready = false;
          const listening = after$.subscribe({
            next: (text) => (ready ? enqueue(text) : held.push(text)),
            complete: () => controller.close(),
          });
          listening.add(release);
          stop = () => listening.unsubscribe();
          listening.add(
            defer(now).subscribe({
              next: (known) => {
                ready = true;
                enqueue([...known.map(frameOf), sseFrame('ready', '{}'), ...held].join(''));
              },
              error: (error) => {
                stop();
                controller.error(error);
              },
            }),
          );
          listening.add(interval(HEARTBEAT_MS).subscribe(() => enqueue(heartbeatFrame)));
        },
        cancel: () => stop(),
      });
    },
  };
}

function maySee({ who, approves, all }: Reader): (activity: Activity) => boolean {
  return (activity) => {
    if (activity.type === 'run') return all || activity.user === who.user;
    return approves && mayAnswer(who, activity.user);
  };
}

function frameOf({ type, data }: Activity): string {
  return sseFrame(type, JSON.stringify(data));
}

export function runActivity(view: RunView): Activity {
  return { type: 'run', user: view.user ?? '', data: view };
}

export function approvalActivity(approval: Approval): Activity {
  return { type: 'approval', user: approval.user, data: approval };
}
