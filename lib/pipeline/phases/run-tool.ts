import type { Observable } from 'rxjs';
import { isError } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { ActingChunk } from '../../events/acting-chunk.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import { errorResult } from '../../events/parts/tool-result.ts';
import type { PreActing } from '../../events/pre-acting.ts';
import { WrappedStep } from '../around/around.ts';
import { hideSealed } from '../calls/hide-sealed.ts';
import type { Sealed } from '../calls/vault.ts';
import { emitRetracted } from '../chunks/chunk.ts';
import { streamThroughLane } from '../chunks/lane.ts';
import { OpenBlock } from '../chunks/open-block.ts';
import { createSource } from '../chunks/source.ts';
import type { RunChild } from '../define/hook-context.ts';
import type { Tool, ToolContext, ToolItem } from '../define/tool.ts';
import { CANCELLED, type Process } from '../flow/drive.ts';
import { LazySignal, type Signalling } from '../flow/lifetime.ts';
import type { ChildResume, SuspendedChild } from '../run/run.ts';
import type { RunScope } from '../run/run-scope.ts';
import { StepFailure } from '../run/step-failure.ts';
import { notifyStep, type StepScope } from '../run/step-scope.ts';
import type { ActingStep, Ending } from './conclude-call.ts';
import { raise, reportTolerated } from './pass.ts';
import { childForCall } from './run-child.ts';
import { createToolOutcome, looksLikeResult, type ToolOutcome, toToolResult } from './tool-outcome.ts';

/** Runs the judged call, and again if a hook answers its failure with retry. Returns undefined if a sub-agent has suspended it. */
export function* runTool(
  step: ActingStep,
  pre: SettledEvent<PreActing>,
  judged: JudgedCall,
): Process<Ending | undefined> {
  const { scope } = step;
  step.began = scope.settings.scheduler.now();
  for (;;) {
    const outcome = createToolOutcome(scope.settings.maxResultChars);
    try {
      yield { wait: streamTool(step, pre, judged, outcome) };
      if (step.lifetime.cancelled) throw CANCELLED;
      emitRetracted(step, emptyChunk(step, pre));
      if (step.tolerated) yield* reportTolerated(step);
      if (outcome.suspended) {
        scope.suspendedChildren ??= new Map();
        scope.suspendedChildren.set(pre.toolCall.id, outcome.suspended);
        return undefined;
      }
      if (outcome.aborted) {
        const { by, reason } = outcome.aborted;
        return { outcome: 'cancelled', result: errorResult(`The call was cut: hook "${by}" ended the run: ${reason}`) };
      }
      return { outcome: 'executed', result: outcome.final() };
    } catch (thrown) {
      if (!isError(thrown, StepFailure)) throw thrown;
      notifyStep(step, thrown);
      emitRetracted(step, emptyChunk(step, pre));
      const { decision } = yield* raise(step, thrown, thrown.fatal ? ['respond'] : ['respond', 'retry']);
      if (decision?.action === 'respond' && 'result' in decision) {
        step.attempt += 1;
        emitRetracted(step, emptyChunk(step, pre));
        return { outcome: 'responded', result: decision.result };
      }
      if (decision?.action !== 'retry') {
        if (thrown.fatal) scope.fatal = thrown;
        const message = thrown.fatal
          ? `The result was withheld: hook "${thrown.hook}" failed.`
          : `Tool "${judged.tool.name}" failed: ${thrown.message}`;
        return { outcome: 'failed', result: errorResult(message) };
      }
      step.attempt += 1;
    }
  }
}

function emptyChunk({ scope, attempt }: ActingStep, { toolCall }: PreActing): ActingChunk {
  return {
    type: 'actingChunk',
    run: scope.info,
    iteration: scope.iteration,
    toolCall,
    content: '',
    attempt,
    last: true,
  };
}

/** The tool, and its input after the schema, with sealed values injected. */
interface JudgedCall {
  readonly tool: Tool;
  readonly input: unknown;
  readonly sealed: Sealed;
  /** The sub-agent's run to resume. */
  readonly resume: ChildResume | undefined;
}

/**
 * Runs the judged call and passes its output through the chunk lane. Emits nothing: the chunks and the events of sub-agents go to the step's
 * consumer, and `outcome` collects the result. Errors with a `StepFailure`. Completes early if the step is cancelled.
 */
function streamTool(
  step: StepScope,
  pre: SettledEvent<PreActing>,
  { tool, input, sealed, resume }: JudgedCall,
  outcome: ToolOutcome,
): Observable<never> {
  const { scope } = step;
  const hide = hideSealed(sealed);
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
        hide.shown(
          createSource<ToolItem>({
            what: `tool "${tool.name}"`,
            step,
            lane,
            start(answer, push) {
              const { toolCall } = pre;
              const show = (event: SettledEvent): void => step.consumer?.next(event);
              const suspend = (child: SuspendedChild): void => {
                outcome.suspended = child;
                lane.cancel();
              };
              const child = hide.handedOn(childForCall(step, { toolCall, resume, answer, show, suspend }));
              return tool.execute(input, new CallContext(scope, hide.logged(scope.log), toolCall, answer, push, child));
            },
            fromValue(value) {
              const result = toToolResult(value, tool.name);
              return result ? [result] : [];
            },
          }),
        ),
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
    log: ToolContext['log'],
    toolCall: ToolContext['toolCall'],
    answer: Signalling,
    emit: ToolContext['emit'],
    child: RunChild,
  ) {
    super(answer);
    this.run = scope.info;
    this.toolCall = toolCall;
    this.log = log;
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
