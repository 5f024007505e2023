import type { EventOf } from '../../../events/hook-event.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';
import { judgeCall } from '../../../loops/judge-call.ts';
import type { Tool } from '../../../pipeline/define/tool.ts';
import { field, textField, withFields } from '../../../process-hooks/picoclaw/wire/fields.ts';
import { fromWireResult, toWireResult } from '../../../process-hooks/picoclaw/wire/wire-result.ts';
import type { Params } from './read-request.ts';
import { callKey, inputOf, type OpenCall, type Turn } from './turn.ts';

/** `hook.before_tool`: hooks rewrite the call and approvers decide. The host runs the call. */
export async function beforeTool(turn: Turn, params: Params): Promise<JsonObject> {
  const stopped = await turn.begun;
  if (stopped) return stopped;
  const name = textField(params, 'tool') ?? '';
  const input = inputOf(params);
  const open = await judge(turn, name, input, textField(params, 'tool_call_id') ?? crypto.randomUUID());
  const { event, state } = open.judged;
  const refused = refusal(event) ?? (state === 'over' ? await overOf(open) : undefined);
  if (refused) return refused;
  const call = event?.toolCall;
  if (!call || JSON.stringify(call.input).includes('"$sealed":'))
    return { action: 'deny_tool', reason: 'A hook sealed a value in the call, which this host would reveal.' };
  const params2 = withFields(params, { tool: call.name, arguments: call.input });
  turn.calls.set(callKey(params2), open);
  const same = call.name === name && canonicalJson(call.input) === canonicalJson(input);
  // The host clears omitted fields, so the whole payload is returned.
  return same ? { action: 'continue' } : { action: 'modify', call: params2 as JsonObject };
}

/** `hook.approve_tool`: approves calls that were already evaluated. Any other call is evaluated here, and hooks must not change it. */
export async function approveTool(turn: Turn, params: Params): Promise<JsonObject> {
  const known = turn.calls.get(callKey(params));
  if (known?.judged.state === 'ready' && isJudged(known, params)) return { approved: true };
  turn.calls.delete(callKey(params));
  await known?.judged.skip('the host changed the call');
  const answer = await beforeTool(turn, params);
  if (answer['action'] === 'continue') return { approved: true };
  const reason = answer['reason'] ?? 'A hook changed the call, but this event only supports a decision.';
  return { approved: false, reason };
}

/** `hook.after_tool`: the tool result passes through the hooks. */
export async function afterTool(turn: Turn, params: Params): Promise<JsonObject> {
  const key = callKey(params);
  const known = turn.calls.get(key);
  turn.calls.delete(key);
  const given = fromWireResult(resultOf(params));
  const open =
    known ?? (await judge(turn, textField(params, 'tool') ?? '', inputOf(params), crypto.randomUUID(), given));
  open.result = given;
  const post = await open.judged.execute();
  if (turn.run.fatal !== undefined) throw turn.run.fatal;
  if (post?.decision) return { action: 'abort_turn', reason: reasonOf(post.decision) };
  if (!post || canonicalJson(post.result as JsonValue) === canonicalJson(given as JsonValue))
    return { action: 'continue' };
  return { action: 'modify', result: withFields(params, { result: toWireResult(post.result) }) as JsonObject };
}

/** Converts a result that is not an object to text for the model. */
function resultOf(params: Params): unknown {
  const result = field(params, 'result') ?? {};
  if (isObject(result)) return result;
  return { for_llm: typeof result === 'string' ? result : JSON.stringify(result) };
}

/** Returns whether this call was evaluated. The id alone does not prove it. */
function isJudged({ judged }: OpenCall, params: Params): boolean {
  const call = judged.event?.toolCall;
  return (
    call?.name === textField(params, 'tool') && canonicalJson(call?.input ?? {}) === canonicalJson(inputOf(params))
  );
}

async function judge(
  turn: Turn,
  name: string,
  input: JsonObject,
  id: string,
  result?: OpenCall['result'],
): Promise<OpenCall> {
  const open: { judged?: OpenCall['judged']; result: OpenCall['result'] } = { result };
  const tool: Tool = {
    name,
    description: `The tool ${name} of PicoClaw.`,
    inputSchema: { type: 'object' },
    execute: () => open.result ?? '',
  };
  open.judged = await judgeCall(turn.run, { id, name, input }, [tool], result ? { result } : {});
  return open as OpenCall;
}

/** PicoClaw has no approval prompts, so a call that needs approval is denied. */
function refusal(event: EventOf<'preActing'> | undefined): JsonObject | undefined {
  const { decision } = event ?? {};
  if (decision?.action === 'abort')
    return { action: decision.rollback ? 'hard_abort' : 'abort_turn', reason: decision.reason };
  if (decision?.action === 'suspend')
    return {
      action: 'deny_tool',
      reason: `PicoClaw has no approval prompts, so the call did not run: ${decision.prompt}`,
    };
  return undefined;
}

async function overOf(open: OpenCall): Promise<JsonObject> {
  const post = await open.judged.execute();
  if (post?.outcome === 'responded') return { action: 'respond', result: toWireResult(post.result) };
  return { action: 'deny_tool', reason: post?.result.content ?? 'A hook denied the call.' };
}

function reasonOf(decision: NonNullable<EventOf<'postActing'>['decision']>): string {
  return decision.action === 'abort' ? decision.reason : `hook "${decision.by}" ended the run`;
}
