import { defer, filter, interval, map, Subject } from 'rxjs';
import { z } from 'zod';
import { type Answerer, mayAnswer } from '../approvals/answerer-of.ts';
import { type Approval, approvalSchema } from '../approvals/approval.ts';
import { runViewSchema } from '../runs/run-view.ts';
import { HEARTBEAT_MS, heartbeatFrame, sseFrame } from '../sse/sse-frame.ts';

/** What happens to runs and approvals, for screens: the data of the events `run`, `approval`, `answered` and `ready`. */
export const activitySchema = z
  .union([
    runViewSchema.describe('run: how a run stands now.'),
    approvalSchema.describe('approval: a call waits for an answer.'),
    z
      .strictObject({
        id: z.string(),
        runId: z.string(),
        user: z.string(),
        action: z.enum(['approve', 'deny']).exactOptional(),
        by: z.string().exactOptional(),
      })
      .describe('answered: a call waits no more; without an action its run was given up.'),
    z.strictObject({}).describe('ready: what there was before has been told.'),
  ])
  .meta({ id: 'Activity' });

/** Something that happens, and whose run it is. */
export interface Activity {
  readonly type: 'run' | 'approval' | 'answered';
  readonly user: string;
  readonly data: object;
}

/** Tells screens of what happens at this server. */
export interface Activities {
  tell(activity: Activity): void;
  /** First what there is, then `ready`, then what happens. Of other users only approvals, those that somebody may answer. */
  stream(
    who: Answerer,
    approves: boolean,
    now: () => Promise<readonly Activity[]>,
    release: () => void,
  ): ReadableStream<Uint8Array>;
  /** Ends all streams. */
  close(): void;
}

/** Frames after the first piece that a client may leave untaken; then it is cut, may come back, and is told all anew. */
const MOST_WAITING = 1_000;

export function createActivities(): Activities {
  const all$ = new Subject<Activity>();
  const encoder = new TextEncoder();

  return {
    tell: (activity) => all$.next(activity),
    close: () => all$.complete(),
    stream(who, approves, now, release) {
      let stop = (): void => {};
      const after$ = all$.pipe(filter(maySee(who, approves)), map(frameOf));
      return new ReadableStream<Uint8Array>({
        start(controller) {
          const enqueue = (text: string): void => {
            controller.enqueue(encoder.encode(text));
            if ((controller.desiredSize ?? 0) > -MOST_WAITING) return;
            stop();
            controller.error(new Error('The client does not take what it is sent.'));
          };
          // What happens while the rest is looked up comes behind it, all in one piece: only what a client leaves untaken later may cut it.
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

function maySee(who: Answerer, approves: boolean): (activity: Activity) => boolean {
  return (activity) => {
    if (activity.type === 'run') return activity.user === who.user;
    return approves && mayAnswer(who, activity.user);
  };
}

function frameOf({ type, data }: Activity): string {
  return sseFrame(type, JSON.stringify(data));
}

/** An approval as something that happens. */
export function approvalActivity(approval: Approval): Activity {
  return { type: 'approval', user: approval.user, data: approval };
}
