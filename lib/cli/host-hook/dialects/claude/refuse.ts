import type { JsonObject, JsonValue } from '../../../../events/values/json-value.ts';
import { isTooDeep } from '../../judge/is-too-deep.ts';
import { answerText, refuseWith, specificTo } from '../answer-text.ts';
import { isClaudeEvent } from './read.ts';
import { shapedLike } from './shaped-like.ts';

/** Denies an event of Claude Code that could not be evaluated. With `failOpen` the host continues. */
export const refuseClaude = refuseWith(
  (event, reason) => {
    const name = event?.['hook_event_name'];
    if (!isClaudeEvent(name) || name === 'SessionStart') return { code: 2, stdout: '' };
    // The session was already continued once, and would be continued forever.
    if (/Stop$/.test(name) && event?.['stop_hook_active']) return { code: 1, stdout: '' };
    const answer = refusalOf(event, reason);
    // 2 would show the output, or prompt the user.
    const inWords = name === 'PostToolUse' || name === 'PermissionRequest';
    return { code: inWords ? 0 : 2, stdout: answer ? answerText(answer).stdout : '' };
  },
  () => ({ code: 1, stdout: '' }),
);

/** The same over HTTP, where the host reads JSON only. */
export const refuseOverHttp = refuseWith(
  (event, reason) => ({ code: 0, stdout: JSON.stringify(refusalOf(event, reason)) ?? '' }),
  () => ({ code: 1, stdout: '' }),
);

/** Returns the denial in words, or `undefined` if a continued session may stop. */
function refusalOf(event: JsonObject | undefined, reason: string): JsonObject | undefined {
  const output = (name: string, own: JsonObject) => specificTo({ event: name }, own);
  switch (event?.['hook_event_name']) {
    case 'PreToolUse':
      return output('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: reason });
    case 'PermissionRequest':
      return output('PermissionRequest', { decision: { behavior: 'deny', message: reason } });
    case 'PostToolUse': {
      const text = `The output was withheld: ${reason}`;
      const original: JsonValue = event['tool_response'] ?? '';
      // Claude Code shows the original output if the substitute has another shape, so the turn ends.
      if (isTooDeep(original))
        return { continue: false, stopReason: reason, ...output('PostToolUse', { updatedToolOutput: text }) };
      return output('PostToolUse', { updatedToolOutput: shapedLike(original, text) });
    }
    case 'PostToolUseFailure':
    case 'UserPromptSubmit':
      return { decision: 'block', reason };
    case 'Stop':
    case 'SubagentStop':
      return event['stop_hook_active'] ? undefined : { decision: 'block', reason };
    case 'SessionStart':
      return { systemMessage: reason };
    default:
      // The event is unknown, so the session ends.
      return { continue: false, stopReason: reason };
  }
}
