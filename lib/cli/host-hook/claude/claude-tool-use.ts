import { createHash, randomUUID } from 'node:crypto';
import { filter, lastValueFrom } from 'rxjs';
import type { EventOf } from '../../../events/hook-event.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';
import { judgeCall } from '../../../loops/judge-call.ts';
import { rawResult } from '../../../loops/raw-result.ts';
import type { Run } from '../../../pipeline/run/run.ts';
import type { MomentOf } from './claude-input.ts';
import { toHostCall } from './claude-tools.ts';
import { shapedLike } from './shaped-like.ts';

/** The answer to Claude Code, or `undefined` if hooks change nothing. */
export type ClaudeAnswer = JsonObject | undefined;

/** PreToolUse: hooks rewrite the call and approvers decide. Claude Code runs the call, and asks its user if an approver requires it. */
export async function judgeToolUse(
  run: Run,
  moment: MomentOf<'PreToolUse'>,
  // Codex treats `ask` as an error of the hook.
  ask: 'ask' | 'deny' = isCodex(moment) ? 'deny' : 'ask',
): Promise<ClaudeAnswer> {
  const { hook_event_name, tool_name, tool_input } = moment;
  // A call without an id gets a unique one, so that limits count it.
  const host = toHostCall(tool_name, tool_input, moment.tool_use_id ?? `${idOf(moment)}-${randomUUID()}`);
  const judged = await judgeCall(run, host.call, [host.tool]);
  const verdictOf = (permissionDecision: 'deny' | 'ask', permissionDecisionReason: string, more: JsonObject = {}) => ({
    hookSpecificOutput: { hookEventName: hook_event_name, permissionDecision, permissionDecisionReason, ...more },
  });
  const { event, state } = judged;
  if (state === 'over') {
    const post = await judged.execute();
    const { decision } = event ?? {};
    // Codex would treat the whole answer as an error and run the call.
    const ends = decision?.action === 'abort' && !isCodex(moment);
    const stopped = ends ? { continue: false, stopReason: decision.reason } : {};
    return { ...stopped, ...verdictOf('deny', reasonOf(post)) };
  }
  const changed = event ? change(host, event.toolCall) : {};
  if (changed === undefined) {
    await judged.skip('this host cannot run the call');
    return verdictOf('deny', CANNOT);
  }
  const asked = (why: string): JsonObject =>
    ask === 'ask'
      ? verdictOf('ask', why, changed)
      : verdictOf('deny', `This host has no approval prompts, so the call is denied: ${why}`);
  if (state === 'suspended')
    return asked(event?.decision?.action === 'suspend' ? event.decision.prompt : 'A hook requires approval.');
  const isChanged = changed['updatedInput'] !== undefined;
  // The host runs it. Its result arrives as PostToolUse in another process.
  await judged.skip(isChanged && ask === 'deny' ? 'this host has no approval prompts' : 'the host runs the call');
  // Without a decision, Claude Code's own rules would evaluate the original input, which is not run.
  return isChanged ? asked(`A hook changed the input of ${tool_name}.`) : undefined;
}

/** Returns whether the host is Codex, which sends turn ids. Codex runs the call if it considers an answer invalid. */
function isCodex({ turn_id }: MomentOf<'PreToolUse'>): boolean {
  return turn_id !== undefined;
}

const CANNOT =
  'A hook renamed the call, set a field twice, or sealed a value in it. Claude Code supports none of these.';

/** Returns the fields of the answer that contain a change, or `undefined` if the host cannot run the evaluated call. */
function change(host: ReturnType<typeof toHostCall>, judged: ToolCall): JsonObject | undefined {
  const theirs = host.toTheirs(judged);
  if (theirs === undefined || JSON.stringify(judged.input).includes('"$sealed":')) return undefined;
  return canonicalJson(judged.input) === canonicalJson(host.call.input) ? {} : { updatedInput: theirs };
}

/** Returns the reason of a denial, with its hook. The response of a hook can only be sent as the reason. */
function reasonOf(post: EventOf<'postActing'> | undefined): string {
  // Codex treats a denial without a reason as an error.
  if (!post?.result.content.trim()) return 'A hook denied the call.';
  if (post.outcome !== 'responded') return post.result.content;
  return `A hook responded to this call, so the tool did not run. The response: ${post.result.content}`;
}

/** PostToolUse and PostToolUseFailure: the tool result passes through the hooks. */
export async function passToolResult(
  run: Run,
  moment: MomentOf<'PostToolUse'> | MomentOf<'PostToolUseFailure'>,
): Promise<ClaudeAnswer> {
  const { hook_event_name, tool_name, tool_input } = moment;
  const failed = hook_event_name === 'PostToolUseFailure';
  const value = failed ? moment.error : moment.tool_response;
  const raw = rawResult(value, tool_name);
  const { call, tool } = toHostCall(tool_name, tool_input, idOf(moment));
  const result = { ...raw.result, isError: failed };
  const posts$ = run.act(call, [tool], { result }).pipe(filter((event) => event.type === 'postActing'));
  const post = await lastValueFrom(posts$, { defaultValue: undefined });
  if (run.fatal !== undefined) throw run.fatal;
  const ends = post?.decision ? { continue: false, stopReason: endOf(post) } : {};
  if (!post || post.result.content === raw.result.content) return post?.decision ? ends : undefined;
  if (failed) return { ...ends, ...contextFor(hook_event_name, `A hook changed the error to: ${post.result.content}`) };
  const updatedToolOutput = shapedLike(value as JsonValue, raw.restore(post.result));
  return { ...ends, hookSpecificOutput: { hookEventName: hook_event_name, updatedToolOutput } };
}

function endOf({ decision }: EventOf<'postActing'>): string {
  return decision?.action === 'abort' ? decision.reason : `hook "${decision?.by}" ended the run`;
}

function contextFor(hookEventName: string, additionalContext: string): JsonObject {
  return { hookSpecificOutput: { hookEventName, additionalContext } };
}

/** Returns the id of a call. If the event has none, the same call gets the same id. */
function idOf(moment: {
  readonly tool_use_id?: string | undefined;
  readonly tool_name: string;
  readonly tool_input: JsonObject;
}): string {
  const { tool_use_id: id, tool_name, tool_input } = moment;
  return (
    id ??
    createHash('sha256')
      .update(canonicalJson([tool_name, tool_input]))
      .digest('hex')
      .slice(0, 16)
  );
}
