import { abort } from '../../events/decisions/abort.ts';
import { deny } from '../../events/decisions/deny.ts';
import { modify } from '../../events/decisions/modify.ts';
import { respond } from '../../events/decisions/respond.ts';
import type { PreActing } from '../../events/pre-acting.ts';
import { isObject } from '../../events/values/is-object.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import type { Reading } from './dialect.ts';
import { readAction, warnOfNothing } from './read-action.ts';
import { recordField, textField } from './wire/fields.ts';
import { fromWireResult, toWireResult } from './wire/wire-result.ts';
import { wireParams } from './wire/wire-scope.ts';

/** Returns the params of `hook.before_tool` and `hook.approve_tool` as JSON. */
export function toolParams(event: PreActing, tracePath: string): string {
  const { toolCall, decision } = event;
  const result = decision?.action === 'respond' ? `,"hook_result":${json(toWireResult(decision.result))}` : '';
  const call = `"tool":${json(toolCall.name)},"arguments":${json(toolCall.input)},"tool_call_id":${json(toolCall.id)}`;
  return wireParams(event, tracePath, call + result);
}

/** Writes JSON field by field. Each tool call uses it, and an intermediate object would cost 50% more. */
function json(value: JsonValue): string {
  // `undefined` has no JSON. The types exclude it, but plain JavaScript does not.
  return JSON.stringify(value) ?? 'null';
}

/** Applies the reply to `hook.before_tool`. */
export function takeBeforeTool(event: PreActing, reply: unknown, reading: Reading): PreActing | undefined {
  const { action, reason } = readAction(reply, reading);
  switch (action) {
    case 'unknown':
      return undefined;
    case 'abort_turn':
    case 'hard_abort':
      return abort(event, reason ?? 'hook requested turn abort', { rollback: action === 'hard_abort' });
    case 'deny_tool':
      return deny(event, reason ?? 'Tool execution denied by hook');
    case 'respond':
      return takeResponse(event, reply, reason, reading);
    default:
      return takeCall(event, reply, action === 'modify', reading);
  }
}

const RESULT_MEMBERS: ReadonlySet<string> = new Set([
  ...['for_llm', 'for_user', 'silent', 'is_error', 'async', 'media', 'artifact_tags', 'response_handled'],
]);

/** The original ran the real tool if the result was missing. Here, a missing result denies the call. */
function takeResponse(event: PreActing, reply: unknown, reason: string | undefined, reading: Reading): PreActing {
  const aliased = reading.dialect.aliases ? recordField(reply, 'hook_result') : undefined;
  const result = recordField(reply, 'result') ?? aliased;
  if (result) {
    const names = Object.keys(result);
    if (names.length > 0 && !names.some((name) => RESULT_MEMBERS.has(name.toLowerCase()))) {
      const why = `answered with a result of ${names.join(', ')}, which has no effect; set result.for_llm.`;
      reading.diagnose('nothing-recognised', why);
    }
    return respond(event, fromWireResult(result));
  }
  const why = 'returned respond without a result, so the call is denied; set result.for_llm.';
  reading.diagnose('respond-without-result', why);
  return deny(event, reason ?? 'The hook responded instead of the tool, without a result.');
}

function takeCall(event: PreActing, reply: unknown, expected: boolean, reading: Reading): PreActing | undefined {
  const { dialect, diagnose } = reading;
  const call = recordField(reply, 'call') ?? (dialect.aliases ? reply : undefined);
  if (!isObject(call)) {
    warnOfNothing(reply, ['call', 'result'], reading);
    if (expected) diagnose('no-payload', 'returned modify without a call; nothing is changed.');
    return undefined;
  }
  const { toolCall } = event;
  const input = recordField(call, 'arguments') ?? (dialect.aliases ? recordField(call, 'args') : undefined);
  const named = textField(call, 'tool');
  const name = named ?? (dialect.reply === 'merge' ? toolCall.name : '');
  const next = input ? (input as JsonObject) : dialect.reply === 'merge' ? toolCall.input : {};
  const same = name === toolCall.name && JSON.stringify(next) === JSON.stringify(toolCall.input);
  return same ? undefined : modify(event, { toolCall: { ...toolCall, name, input: next } });
}
