import { EMPTY, throwError } from 'rxjs';
import { HooklineError } from '../errors.ts';
import type { Abort } from '../events/decisions/decision.ts';
import { editOf } from '../events/parts/edited-call.ts';
import type { ToolResultPart } from '../events/parts/message.ts';
import type { ToolCall } from '../events/parts/tool-call.ts';
import { addUsage, type Usage } from '../events/parts/usage.ts';
import { runsInParallel, type Tool } from '../pipeline/define/tool.ts';
import { forward, type Process } from '../pipeline/flow/drive.ts';
import { createLifetime } from '../pipeline/flow/lifetime.ts';
import type { ActingOptions, Run } from '../pipeline/run/run.ts';
import { inCallOrder, type OrderedCall } from './in-call-order.ts';
import { observePhase, type PhaseResults } from './phase-results.ts';
import type { PendingCall } from './suspend/snapshot.ts';
import { grantedBy, suspendedCall } from './suspend/suspended-call.ts';
import { resultPart } from './transcript/close-orphans.ts';

/** A call of a batch, and the options for a resumed one. */
export interface BatchCall {
  /** The call as the model requested it. The transcript contains this call. */
  readonly toolCall: ToolCall;
  readonly key: string;
  readonly acting?: ActingOptions;
  /** The call to run instead, if an answer edited the input. */
  readonly edited?: ToolCall;
  /** True if the call may have run before. It may run only an idempotent tool. */
  readonly repeats?: boolean;
}

/** The outcome of the calls of one message. Abort overrides suspended, and suspended overrides finish. */
export interface Batch {
  readonly results: readonly ToolResultPart[];
  readonly pending: readonly PendingCall[];
  readonly abort: Abort | undefined;
  readonly finishing: boolean;
  /** True if every call has already delivered its result to the user. */
  readonly handled: boolean;
}

/** A batch in which no call is over. */
export const emptyBatch: Batch = { results: [], pending: [], abort: undefined, finishing: false, handled: true };

export interface BatchOptions {
  readonly concurrency: number;
  readonly parallel: 'reads' | 'all';
  /** Returns why calls that have not started must not start, or `undefined`. */
  readonly hold: () => string | undefined;
}

/**
 * Runs calls within a process, at most `concurrency` at a time. Only calls that allow it run in parallel. Returns their outcomes in call order,
 * after the outcomes of `before`. Adds the usage of sub-agents to `scope`.
 */
export function* actBatch(
  scope: { readonly run: Run; usage: Usage | undefined },
  calls: readonly BatchCall[],
  tools: readonly Tool[],
  { concurrency, parallel, hold }: BatchOptions,
  before: Batch = emptyBatch,
): Process<Batch> {
  const { run } = scope;
  const lifetime = createLifetime(run.lifetime);
  const allResults: PhaseResults[] = calls.map(() => ({}));
  let { abort } = before;
  const onAbort = (by: Abort): void => {
    abort ??= by;
    lifetime.cancel(`hook "${by.by}" ended the run`);
  };
  const isParallel = (tool: Tool | undefined): boolean => parallel === 'all' || runsInParallel(tool);
  const acts = calls.map((call, index): OrderedCall => {
    const named = call.edited ?? call.toolCall;
    return {
      parallel: isParallel(tools.find(({ name }) => name === named.name)),
      start(alone) {
        if (run.fatal !== undefined) lifetime.cancel('the run has failed');
        const skip = call.acting?.result ? undefined : hold();
        const turn = (tool: Tool) => {
          if (call.repeats && !tool.idempotent) return throwError(() => notAgain(named, tool));
          return isParallel(tool) ? undefined : alone();
        };
        const acting = { ...call.acting, lifetime, turn, ...(skip !== undefined && { skip }) };
        const { events$, results } = observePhase(run.act(named, tools, acting), run.info.runId, onAbort);
        allResults[index] = results;
        return events$;
      },
    };
  });
  const [first] = acts;
  yield* forward(first && acts.length === 1 ? first.start(() => EMPTY) : inCallOrder(acts, concurrency));
  lifetime.release();
  for (const { childUsage } of allResults) scope.usage = addUsage(scope.usage, childUsage);
  return { ...collected(run, calls, allResults, before), abort };
}

function collected(run: Run, calls: readonly BatchCall[], allResults: readonly PhaseResults[], before: Batch): Batch {
  const results = [...before.results];
  const pending = [...before.pending];
  for (const [index, { toolCall, key, acting, edited }] of calls.entries()) {
    const start = edited ? { edited } : {};
    const { preActing, postActing } = allResults[index] as PhaseResults;
    const child = run.suspendedChild(toolCall.id);
    if (postActing) results.push(resultPart(toolCall, postActing.result));
    else if (child)
      pending.push({
        key,
        toolCall,
        ...start,
        ...grantedBy(acting?.answers),
        child: child.snapshot,
        childOrder: child.order,
      });
    else if (preActing) {
      const inline = editOf(preActing.toolCall)?.edited;
      pending.push({
        key,
        toolCall,
        ...(inline ? { edited: inline } : start),
        judged: preActing.toolCall,
        ...suspendedCall(preActing, acting?.answers),
      });
    }
  }
  const posts = allResults.flatMap(({ postActing }) => (postActing ? [postActing] : []));
  const finishing = before.finishing || posts.some(({ decision }) => decision?.action === 'finish');
  const handled = before.handled && posts.every(({ result }) => result.handled === true);
  return { ...before, results, pending, finishing, handled };
}

function notAgain({ id, name }: ToolCall, tool: Tool): HooklineError {
  const why = `hooks have changed it into a call of ${JSON.stringify(tool.name)}, which is not idempotent`;
  return new HooklineError(
    'RECOVERY_INVALID',
    `The call ${id} of ${JSON.stringify(name)} may have run before, and ${why}.`,
  );
}
