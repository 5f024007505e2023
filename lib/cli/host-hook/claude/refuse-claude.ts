import type { JsonObject } from '../../../events/values/json-value.ts';
import type { ClaudeMoment } from './claude-input.ts';
import { shapedLike } from './claude-tool-use.ts';

/** How a moment that could not be judged is refused: by words where they count for more than exit code 2. */
export function refuseClaude(
  moment: ClaudeMoment | undefined,
  why: string,
): { readonly code: number; readonly said?: JsonObject } {
  switch (moment?.hook_event_name) {
    // 2 would show the output, and let its user be asked.
    case 'PostToolUse':
    case 'PermissionRequest':
      return { code: 0, said: refusalOf(moment, why) as JsonObject };
    case 'Stop':
    case 'SubagentStop':
      // It has been sent on before, and would be for ever.
      return { code: moment.stop_hook_active ? 1 : 2 };
    default:
      return { code: 2 };
  }
}

/** The same for hosts that read words only, over HTTP say; nothing where a session that was sent on may stop. */
export function refusalOf(moment: ClaudeMoment | undefined, why: string): JsonObject | undefined {
  const reason = `hookline could not judge this: ${why}`;
  const said = (hookEventName: string, own: JsonObject) => ({ hookSpecificOutput: { hookEventName, ...own } });
  switch (moment?.hook_event_name) {
    case 'PreToolUse':
      return said('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: reason });
    case 'PermissionRequest':
      return said('PermissionRequest', { decision: { behavior: 'deny', message: reason } });
    case 'PostToolUse':
      return said('PostToolUse', {
        updatedToolOutput: shapedLike(moment.tool_response, `The output was withheld: ${reason}`),
      });
    case 'PostToolUseFailure':
    case 'UserPromptSubmit':
      return { decision: 'block', reason };
    case 'Stop':
    case 'SubagentStop':
      return moment.stop_hook_active ? undefined : { decision: 'block', reason };
    case 'SessionStart':
      return { systemMessage: reason };
    default:
      // Nobody knows what it is about: it ends here.
      return { continue: false, stopReason: reason };
  }
}
