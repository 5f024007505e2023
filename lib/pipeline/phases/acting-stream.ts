import type { Observable } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { ActingChunk } from '../../events/acting-chunk.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { PreActing } from '../../events/pre-acting.ts';
import { WrappedStep } from '../around/around.ts';
import { streamThroughLane } from '../chunks/lane.ts';
import { OpenBlock } from '../chunks/open-block.ts';
import { type AnswerTime, createSource } from '../chunks/source.ts';
import type { RunChild } from '../define/child-agent.ts';
import { LazySignal, type Signalling } from '../run/lazy-signal.ts';
import type { SuspendedChild } from '../run/run.ts';
import type { RunScope } from '../run/run-scope.ts';
import type { StepScope } from '../run/step-scope.ts';
import type { Tool, ToolContext, ToolItem } from '../tools/tool.ts';
import { looksLikeResult, type ToolOutcome, toToolResult } from '../tools/tool-outcome.ts';

/** What runs: the tool, and its input as the schema left it with sealed values put in. */
export interface JudgedCall {
  readonly tool: Tool;
  readonly input: unknown;
}

/** Makes `child` for a tool that begins to run, which works until the call is over; events of the sub-agent go to `show`, a suspension to `suspend`. */
export type ChildFor = (
  call: Pick<AnswerTime, 'over'>,
  show: (event: SettledEvent) => void,
  suspend: (child: SuspendedChild) => void,
) => RunChild;

/**
 * Runs the judged call and sends what it reports through the chunk lane. Emits the chunks that leave, settled, and a sub-agent's
 * events; what the call comes to is gathered in `outcome`. Errors with a `StepFailure`; completes early when the step is cancelled.
 */
export function streamActing(
  step: StepScope,
  pre: SettledEvent<PreActing>,
  judged: JudgedCall,
  outcome: ToolOutcome,
  childFor: ChildFor,
): Observable<never> {
  const { scope } = step;
  const { tool } = judged;
  return streamThroughLane<ActingChunk, ToolItem>(step, scope.plan.lanes.actingChunk, outcome, (lane) => {
    let block: OpenBlock<ActingChunk> | undefined;
    const open = () =>
      new OpenBlock<ActingChunk>(lane, {
        type: 'actingChunk',
        run: scope.info,
        iteration: pre.iteration,
        toolCall: pre.toolCall,
        content: '',
        attempt: step.attempt,
        last: false,
      });

    const wrapped = new WrappedStep<(typeof scope.plan.arounds.acting)[number], undefined, ToolItem>({
      step,
      stages: scope.plan.arounds.acting,
      applies: ({ applies }) => applies?.(pre.toolCall.name, pre.permission) ?? true,
      call: (stage, next, context) => stage.around(pre, () => next(), context),
      differing: () => [],
      newAttempt() {
        if (lane.over) return;
        step.attempt += 1;
        lane.discard();
        outcome.reset();
        block = undefined;
      },
      core: () =>
        createSource<ToolItem>({
          what: `tool "${tool.name}"`,
          step,
          lane,
          start(answer, push) {
            const child = childFor(
              answer,
              (event) => step.consumer?.next(event),
              (suspended) => {
                outcome.suspended = suspended;
                lane.cancel();
              },
            );
            return tool.execute(judged.input, new CallContext(scope, pre.toolCall, answer, push, child));
          },
          fromValue(value) {
            const result = toToolResult(value, tool.name);
            return result ? [result] : [];
          },
        }),
    });

    return {
      start: () => wrapped.run(undefined),
      take(item) {
        if (typeof item === 'string') {
          block ??= open();
          block.add(item);
        } else if (looksLikeResult(item)) outcome.result = toToolResult(item, tool.name);
        else throw notAnItem(tool);
      },
      failureOf: (thrown) => wrapped.blame.failureOf(thrown),
    };
  });
}

class CallContext extends LazySignal implements ToolContext {
  readonly run: ToolContext['run'];
  readonly toolCall: ToolContext['toolCall'];
  readonly log: ToolContext['log'];
  readonly emit: ToolContext['emit'];
  readonly child: ToolContext['child'];

  constructor(
    scope: RunScope,
    toolCall: ToolContext['toolCall'],
    answer: Signalling,
    emit: ToolContext['emit'],
    child: RunChild,
  ) {
    super(answer);
    this.run = scope.info;
    this.toolCall = toolCall;
    this.log = scope.log;
    this.emit = emit;
    this.child = child;
  }
}

function notAnItem(tool: Tool): HooklineError {
  return new HooklineError(
    'TOOL_FAILED',
    `Tool "${tool.name}" streamed something that is neither text nor a result; stream strings, and at most one { content, isError }.`,
  );
}
