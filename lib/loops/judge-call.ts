import { Observable, type Subscriber } from 'rxjs';
import { HooklineError } from '../errors.ts';
import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import type { ToolCall } from '../events/parts/tool-call.ts';
import type { Tool } from '../pipeline/define/tool.ts';
import { CALL_OVER, createLifetime } from '../pipeline/flow/lifetime.ts';
import type { ActingOptions, Run } from '../pipeline/run/run.ts';
import { lifetimeFrom } from './lifetime-from.ts';

/** An evaluated call, which its host executes. */
export interface JudgedCall {
  /** The settled event of hooks and approvers. `undefined` if the call was cancelled before. */
  readonly event: SettledEvent<EventOf<'preActing'>> | undefined;
  /** `ready`: `execute` runs it. `suspended`: it waits for an approval. `over`: it was denied or answered, and has its result. */
  readonly state: 'ready' | 'suspended' | 'over';
  /** Runs the evaluated call, once even if called again. Resolves with its postActing event, or `undefined` if a sub-agent suspended it. */
  execute(): Promise<EventOf<'postActing'> | undefined>;
  /** Closes a call that will not run, with `reason` in its result. A call that is over or running keeps its outcome. */
  skip(reason: string): Promise<EventOf<'postActing'> | undefined>;
}

/** Options of `judgeCall`. `onEvent` receives all events of the call, including progress. `execute` replaces `turn`. */
export type JudgeOptions = Omit<ActingOptions, 'turn'> & {
  readonly onEvent?: (event: SettledEvent) => void;
  /** Ends only this call, not its lifetime's other calls. */
  readonly signal?: AbortSignal;
};

/**
 * The first half of `run.act`: hooks rewrite the call, and approvers decide. The call then waits until it is executed or skipped. This includes
 * tools of hooks. Its duration does not include the wait. Rejects if the run has ended.
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
    // The first state counts, because a ready call is over later.
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
          // The signal and the batch may outlive the call, so they must not reference it.
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
    `The call ${toolCall.id} of "${toolCall.name}" needs an answer; judge it again with one (ActingOptions.answers).`,
  );
}

/** Returns the error for a call that is evaluated again without an approval request. */
export function judgedTwice({ id, name }: ToolCall): HooklineError {
  const message = `run.judge(call): the call "${id}" of "${name}" was already judged. Keep the result of judge(), and execute or skip it.`;
  return new HooklineError('INPUT_INVALID', message);
}
