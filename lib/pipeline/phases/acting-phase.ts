import { from, isObservable } from 'rxjs';
import { markEdited } from '../../events/parts/edited-call.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { errorResult } from '../../events/parts/tool-result.ts';
import type { PreActing } from '../../events/pre-acting.ts';
import { freezeEvent } from '../../events/values/deep-freeze.ts';
import { ignoreRejection, isThenable } from '../../events/values/is-async.ts';
import { toolResolver } from '../calls/offer-tools.ts';
import { type PreparedCall, prepareCall } from '../calls/prepare-call.ts';
import { Vault } from '../calls/vault.ts';
import type { Tool } from '../define/tool.ts';
import { CANCELLED, type Process, wait } from '../flow/drive.ts';
import { CALL_OVER } from '../flow/lifetime.ts';
import { judge, skipApprovers } from '../gate/judge.ts';
import type { ActingOptions } from '../run/run.ts';
import { settle } from '../run/run-scope.ts';
import { redactText } from '../trace/redact-text.ts';
import { type ActingStep, conclude, type Ending, postActing } from './conclude-call.ts';
import { pass, reportTolerated } from './pass.ts';
import { runTool } from './run-tool.ts';

/** Runs one call with its hooks: preActing, chunks, postActing. Only a suspended call has no postActing. */
export function* actingPhase(
  step: ActingStep,
  toolCall: ToolCall,
  tools: readonly Tool[],
  options: ActingOptions,
): Process {
  const { scope } = step;
  try {
    if (step.lifetime.cancelled) throw CANCELLED;
    if (options.skip !== undefined) {
      yield* conclude(step, { outcome: 'skipped', result: errorResult(`The call was not started: ${options.skip}.`) });
      return;
    }
    const { result, outcome = result?.isError ? 'failed' : 'executed' } = options;
    const ending: Ending | undefined = result ? { outcome, result } : yield* perform(step, toolCall, tools, options);
    if (ending) yield* conclude(step, ending);
  } catch (thrown) {
    if (thrown !== CANCELLED) throw thrown;
    // After a cancel, only observers receive the event.
    if (!step.over) yield settle(scope, freezeEvent(postActing(step, cutEnding(step))));
  } finally {
    // Work that a tool started and did not await, such as a sub-agent, ends with its call.
    step.lifetime.cancel(CALL_OVER);
  }
}

/** Returns the ending of a cancelled call: the earlier ending if it did not run. */
function cutEnding({ began, ending, lifetime }: ActingStep): Ending {
  const why = lifetime.reason ?? 'the run was cancelled';
  if (began !== undefined) {
    return { outcome: 'cancelled', result: errorResult(`The call was cancelled (${why}); its effect is unknown.`) };
  }
  const refused = ending?.outcome === 'denied' || ending?.outcome === 'failed';
  return refused ? ending : { outcome: 'skipped', result: errorResult(`The call was not started: ${why}.`) };
}

function* perform(
  step: ActingStep,
  toolCall: ToolCall,
  tools: readonly Tool[],
  options: ActingOptions,
  before?: PreActing,
): Process<Ending | undefined> {
  const { scope } = step;
  const vault = new Vault();
  step.vault = vault;
  const { edits = [] } = step;
  const resolve = toolResolver(tools);
  const resolved = (event: PreActing): PreActing => {
    const tool = resolve(event.toolCall.name);
    const { toolCall } = event;
    // The name of a tool that does not exist is text of the model.
    step.toolCall = tool ? toolCall : { ...toolCall, name: redactText(scope, toolCall.name) };
    step.permission = tool?.permission ?? 'external';
    const of = { toolCall: step.toolCall, permission: step.permission, description: tool?.description ?? '' };
    // A frozen spread has a hidden class of its own in V8, so that each read of it by a hook takes as long as ten.
    return freezeEvent(Object.assign({}, event, of));
  };

  const began = resolved({
    type: 'preActing',
    run: scope.info,
    iteration: scope.iteration,
    toolCall,
    permission: 'external',
    description: '',
    ...(edits.length > 0 && { notes: edits.flatMap(({ note }) => note) }),
  });
  if (before) scope.tracer?.carry(before, began);
  let pre = yield* pass(step, began, (rewritten) => {
    const event = resolved(rewritten);
    scope.tracer?.carry(rewritten, event);
    return event;
  });

  vault.close();

  const tool = resolve(pre.toolCall.name);
  const responded = pre.decision?.action === 'respond' ? pre.decision.result : undefined;
  const refusing = pre.decision?.action === 'deny' || pre.decision?.action === 'abort';
  // A hook's answer replaces the tool, so the input need not match its schema.
  const prepared = refusing || responded ? undefined : yield* prepare(step, pre.toolCall, tool, tools, vault);
  if (prepared && 'refused' in prepared) {
    skipApprovers(step, pre, 'the input is invalid');
    step.ending = { outcome: 'failed', result: errorResult(prepared.refused) };
    yield settle(scope, pre);
    return step.ending;
  }
  if (refusing) skipApprovers(step, pre, `hook "${pre.decision?.by}" has decided`);
  else {
    const frozen = prepared ? Object.freeze({ ...pre, toolCall: prepared.toolCall }) : pre;
    scope.tracer?.carry(pre, frozen);
    step.toolCall = frozen.toolCall;
    const edit = edits.at(-1);
    if (edit) markEdited(frozen.toolCall, edit);
    const judged = judge(step, frozen, options);
    pre = isObservable(judged) ? yield* wait(judged) : judged;
    if (step.tolerated) yield* reportTolerated(step);
    const next = step.edits?.at(-1);
    // For other arguments, the first round does not count: neither injected values nor answers of other approvers.
    if (next && next !== edit) return yield* perform(step, next.edited, tools, options, pre);
  }
  const settled = settle(scope, pre);
  const { decision } = settled;
  if (decision?.action === 'deny') {
    const result = errorResult(`The call was denied by hook "${decision.by}": ${decision.reason}`);
    // Denied before others are notified, because they may cancel.
    step.ending = { outcome: 'denied', result };
  }
  yield settled;

  if (decision?.action === 'suspend') return undefined;
  if (step.ending) return step.ending;
  if (decision?.action === 'abort') {
    return {
      outcome: 'skipped',
      result: errorResult(`The call was not started: hook "${decision.by}" ended the run: ${decision.reason}`),
    };
  }
  if (responded) return { outcome: 'responded', result: responded };
  if (!tool || !prepared || scope.dryRun)
    return { outcome: 'skipped', result: errorResult('The call was not started: this is a dry run.') };
  const turn = options.turn?.(tool);
  if (turn) yield* wait(turn);
  return yield* runTool(step, settled, { tool, input: prepared.input, sealed: prepared.sealed, resume: options.child });
}

/** Waits for an asynchronous schema. In virtual time, it could never settle. */
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
  ignoreRejection(prepared);
  const message = `The schema of tool "${toolCall.name}" is asynchronous, which cannot settle in virtual time. Use a synchronous one there.`;
  return { refused: message };
}
