import { from, isObservable } from 'rxjs';
import { isError } from '../errors/describe-thrown.ts';
import type { Settled } from '../events/hook-event.ts';
import type { ActingOutcome, PostActing } from '../events/post-acting.ts';
import type { PreActing } from '../events/pre-acting.ts';
import type { ToolCall } from '../events/tool-call.ts';
import { errorResult, type ToolResult } from '../events/tool-result.ts';
import { type ChildFor, streamActing } from './acting-stream.ts';
import { deliver } from './deliver.ts';
import { CANCELLED, type Process, wait } from './drive.ts';
import { judge } from './judge.ts';
import { forget, isThenable } from './later.ts';
import { pass, raise, tellTolerated } from './pass.ts';
import { type PreparedCall, prepareCall } from './prepare-call.ts';
import { redactText } from './redact-text.ts';
import { toolResolver } from './resolve-tool.ts';
import type { ActingOptions } from './run.ts';
import { gateEvent, settle } from './run-scope.ts';
import { skipApprovers } from './skip-approvers.ts';
import { StepFailure } from './step-failure.ts';
import type { StepScope } from './step-scope.ts';
import type { Tool } from './tool.ts';
import { createToolOutcome } from './tool-outcome.ts';
import { createVault, type Vault } from './vault.ts';

/** How a call ended, before hooks have seen it. */
interface Ending {
  readonly outcome: ActingOutcome;
  readonly result: ToolResult;
}

/** The step of an acting phase: the call as it stands is always there. */
interface ActingStep extends StepScope {
  toolCall: ToolCall;
}

/** Runs one call, with all that hooks make of it: preActing, chunks, postActing. Only a suspended call has no postActing. */
export function* actingPhase(
  step: ActingStep,
  toolCall: ToolCall,
  tools: readonly Tool[],
  childFor: ChildFor,
  options: ActingOptions,
): Process {
  const { scope } = step;
  const call = { began: undefined as number | undefined, over: false };
  try {
    if (step.lifetime.cancelled) throw CANCELLED;
    if (options.skip !== undefined) {
      yield* conclude(
        step,
        { outcome: 'skipped', result: errorResult(`The call was not started: ${options.skip}.`) },
        call,
      );
      return;
    }
    const ending = yield* perform(step, toolCall, tools, childFor, options, call);
    if (ending) yield* conclude(step, ending, call);
  } catch (thrown) {
    if (thrown !== CANCELLED) throw thrown;
    // Only observers hear of what happens after a cancel.
    if (!call.over) {
      const why = step.lifetime.reason ?? 'the run was cancelled';
      const ending: Ending =
        call.began === undefined
          ? { outcome: 'skipped', result: errorResult(`The call was not started: ${why}.`) }
          : { outcome: 'cancelled', result: errorResult(`The call was cancelled (${why}); its effect is unknown.`) };
      yield settle(scope, gateEvent(postActing(step, ending, call)));
    }
  } finally {
    step.lifetime.release();
  }
}

function* perform(
  step: ActingStep,
  toolCall: ToolCall,
  tools: readonly Tool[],
  childFor: ChildFor,
  options: ActingOptions,
  call: { began: number | undefined },
): Process<Ending | undefined> {
  const { scope } = step;
  const vault = createVault();
  step.vault = vault;
  const resolve = toolResolver(tools);
  const resolved = (event: PreActing): PreActing => {
    const tool = resolve(event.toolCall.name);
    const { toolCall } = event;
    // The name of a tool that there is not is text of the model's.
    step.toolCall = tool ? toolCall : { ...toolCall, name: redactText(scope, toolCall.name) };
    step.permission = tool?.permission ?? 'external';
    return gateEvent({
      ...event,
      toolCall: step.toolCall,
      permission: step.permission,
      description: tool?.description ?? '',
    });
  };

  const began = resolved({
    type: 'preActing',
    run: scope.info,
    iteration: scope.iteration,
    toolCall,
    permission: 'external',
    description: '',
  });
  let pre = yield* pass(step, began, (rewritten) => {
    const event = resolved(rewritten);
    scope.tracer?.carry(rewritten, event);
    return event;
  });

  vault.close();

  const tool = resolve(pre.toolCall.name);
  const responded = pre.decision?.action === 'respond' ? pre.decision.result : undefined;
  const refusing = pre.decision?.action === 'deny' || pre.decision?.action === 'abort';
  // A hook's answer takes the tool's place, so there is nothing that its input would have to fit.
  const prepared = refusing || responded ? undefined : yield* prepare(step, pre.toolCall, tool, tools, vault);
  if (prepared && 'refused' in prepared) {
    skipApprovers(step, pre, 'the call does not fit its tool');
    yield settle(scope, pre);
    return { outcome: 'failed', result: errorResult(prepared.refused) };
  }
  if (refusing) skipApprovers(step, pre, `hook "${pre.decision?.by}" has decided`);
  else {
    const frozen = prepared ? Object.freeze({ ...pre, toolCall: prepared.toolCall }) : pre;
    scope.tracer?.carry(pre, frozen);
    step.toolCall = frozen.toolCall;
    const judged = judge(step, frozen, options.answers ?? []);
    pre = isObservable(judged) ? yield* wait(judged) : judged;
    if (step.tolerated) yield* tellTolerated(step);
  }
  const settled = settle(scope, pre);
  yield settled;

  const { decision } = settled;
  if (decision?.action === 'suspend') return undefined;
  if (decision?.action === 'deny') {
    return {
      outcome: 'denied',
      result: errorResult(`The call was denied by hook "${decision.by}": ${decision.reason}`),
    };
  }
  if (decision?.action === 'abort') {
    return {
      outcome: 'skipped',
      result: errorResult(`The call was not started: hook "${decision.by}" ended the run: ${decision.reason}`),
    };
  }
  if (responded) return { outcome: 'responded', result: responded };
  if (!tool || !prepared || scope.dryRun)
    return { outcome: 'skipped', result: errorResult('The call was not started: this is a dry run.') };
  return yield* execute(step, settled, tool, prepared.input, childFor, call);
}

/** Waits for an asynchronous schema; in virtual time it never could be. */
function* prepare(
  { scope }: ActingStep,
  toolCall: ToolCall,
  tool: Tool | undefined,
  tools: readonly Tool[],
  vault: Vault,
): Process<PreparedCall> {
  const names = tools.map(({ name }) => name);
  const prepared = prepareCall(toolCall, tool, names, vault);
  if (!isThenable(prepared)) return prepared;
  if (!scope.settings.virtual) return yield* wait(from(prepared));
  forget(prepared);
  const message = `The schema of tool "${toolCall.name}" is asynchronous, which cannot settle in virtual time. Use a synchronous one there.`;
  return { refused: message };
}

function* execute(
  step: ActingStep,
  pre: Settled<PreActing>,
  tool: Tool,
  input: unknown,
  childFor: ChildFor,
  call: { began: number | undefined },
): Process<Ending | undefined> {
  const { scope } = step;
  call.began = scope.settings.scheduler.now();
  for (;;) {
    const outcome = createToolOutcome(scope.settings.maxJoinedResult);
    try {
      yield { wait: streamActing(step, pre, { tool, input }, outcome, childFor) };
      if (step.lifetime.cancelled) throw CANCELLED;
      if (step.tolerated) yield* tellTolerated(step);
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
      step.arounds?.tell(thrown);
      step.arounds = undefined;
      const { decision } = yield* raise(step, thrown, thrown.fatal ? ['respond'] : ['respond', 'retry']);
      if (decision?.action === 'respond' && 'result' in decision)
        return { outcome: 'responded', result: decision.result };
      if (decision?.action !== 'retry') {
        if (thrown.fatal) scope.fatal = thrown;
        const message = thrown.fatal
          ? `The result was withheld: hook "${thrown.hook}" failed.`
          : `Tool "${tool.name}" failed: ${thrown.message}`;
        return { outcome: 'failed', result: errorResult(message) };
      }
      step.attempt += 1;
    }
  }
}

function* conclude(step: ActingStep, ending: Ending, call: { began: number | undefined; over: boolean }): Process {
  const { scope } = step;
  let post: PostActing;
  try {
    post = yield* pass(step, postActing(step, ending, call));
    post = yield* deliver(step, post);
  } catch (thrown) {
    if (!isError(thrown, StepFailure)) throw thrown;
    const { decision } = yield* raise(step, thrown, ['respond']);
    const recovered = decision?.action === 'respond' && 'result' in decision ? decision.result : undefined;
    if (!recovered) scope.fatal = thrown;
    const result = recovered ?? errorResult(`The result was withheld: hook "${thrown.hook}" failed.`);
    post = postActing(step, { outcome: recovered ? 'responded' : 'failed', result }, call);
  }
  if (post.outcome === 'executed') scope.retries = 0;
  call.over = true;
  yield settle(scope, gateEvent(post));
}

/** A result of the engine's own words, which no hook may get to see once the run is cancelled. */
function redactResult({ scope }: ActingStep, result: ToolResult): ToolResult {
  return { ...result, content: redactText(scope, result.content) };
}

function postActing(step: ActingStep, { outcome, result }: Ending, call: { began: number | undefined }): PostActing {
  const { scope } = step;
  const now = scope.settings.scheduler.now();
  const event: PostActing = {
    type: 'postActing',
    run: scope.info,
    iteration: scope.iteration,
    toolCall: step.toolCall,
    permission: step.permission ?? 'external',
    result: outcome === 'executed' || outcome === 'responded' ? result : redactResult(step, result),
    outcome,
    durationMs: call.began === undefined ? 0 : Math.max(0, now - call.began),
  };
  step.arounds?.tell(event);
  step.arounds = undefined;
  return event;
}
