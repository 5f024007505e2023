import { Observable, type Subscriber } from 'rxjs';
import { HooklineError } from '../errors.ts';
import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import type { ToolCall } from '../events/parts/tool-call.ts';
import type { Tool } from '../pipeline/define/tool.ts';
import { CALL_OVER, createLifetime } from '../pipeline/flow/lifetime.ts';
import type { ActingOptions, Run } from '../pipeline/run/run.ts';
import { lifetimeFrom } from './lifetime-from.ts';

/** A call that has been judged, and runs when its host says so. */
export interface JudgedCall {
  /** What the hooks and approvers made of it; nothing where it was cancelled before. */
  readonly event: SettledEvent<EventOf<'preActing'>> | undefined;
  /** `ready`: `execute` runs it. `suspended`: an approver asks somebody. `over`: it was refused or answered, and has its result. */
  readonly state: 'ready' | 'suspended' | 'over';
  /** Runs the judged call, once however often it is asked; gives what it came to, or nothing where a sub-agent suspends it. */
  execute(): Promise<EventOf<'postActing'> | undefined>;
  /** Closes a call that is not to be run, with a result that says why. What is over or running keeps its end. */
  skip(reason: string): Promise<EventOf<'postActing'> | undefined>;
}

/** How one call is judged. `onEvent` hears all events of the call, progress included; `turn` is what `execute` is for. */
export type JudgeOptions = Omit<ActingOptions, 'turn'> & {
  readonly onEvent?: (event: SettledEvent) => void;
  /** Ends the call and nothing else of its lifetime. */
  readonly signal?: AbortSignal;
};

/**
 * The first half of `run.act`: hooks rewrite the call, approvers judge it, and it waits there until it is executed or skipped, tools of
 * hooks included. The wait is no part of its duration. Rejects where the run has ended.
 */
export function judgeCall(
  run: Run,
  toolCall: ToolCall,
  tools: readonly Tool[],
  options: JudgeOptions = {},
): Promise<JudgedCall> {
  const { onEvent, signal, lifetime: batch = run.lifetime, ...acting } = options;
  const lifetime = signal ? lifetimeFrom(signal, batch) : createLifetime(batch);
  let gate: Subscriber<never> | undefined;
  let event: JudgedCall['event'];
  let post: EventOf<'postActing'> | undefined;

  return new Promise((resolve, reject) => {
    // The first call counts: what has been ready is over at some time.
    const judged = (state: JudgedCall['state']): void =>
      resolve({
        event,
        state,
        execute() {
          if (state === 'suspended') return Promise.reject(unanswered(toolCall));
          gate?.complete();
          return ended;
        },
        skip(reason) {
          if (state === 'ready' && !gate?.closed) lifetime.cancel(reason);
          return ended;
        },
      });
    const turn = (): Observable<never> =>
      new Observable((subscriber) => {
        gate = subscriber;
        judged('ready');
      });
    const events$ = run.act(toolCall, tools, { ...acting, lifetime, turn });
    const ended = new Promise<typeof post>((done, failed) => {
      events$.subscribe({
        next(one) {
          if (one.run.runId === run.info.runId && one.type === 'preActing') event = one;
          if (one.run.runId === run.info.runId && one.type === 'postActing') post = one;
          onEvent?.(one);
        },
        error: failed,
        complete() {
          judged(event && !post ? 'suspended' : 'over');
          done(post);
          // The signal and the batch, which may outlive it long, keep nothing of it.
          lifetime.cancel(CALL_OVER);
        },
      });
    });
    ended.catch(reject);
  });
}

function unanswered(toolCall: ToolCall): HooklineError {
  return new HooklineError(
    'ANSWER_INVALID',
    `The call ${toolCall.id} of "${toolCall.name}" waits for an answer; judge it again with one (ActingOptions.answers).`,
  );
}

/** A call that is judged again though nobody has been asked about it. */
export function judgedTwice({ id, name }: ToolCall): HooklineError {
  const message = `run.judge(call): the call "${id}" of "${name}" was judged already. Keep what judge() gave, and execute or skip that.`;
  return new HooklineError('INPUT_INVALID', message);
}
