import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';
import type { HostAnswer } from '../host-answer.ts';
import { type ClaudeMoment, namedMoment } from './claude-input.ts';
import { isTooDeep } from './is-too-deep.ts';
import { shapedLike } from './shaped-like.ts';

/**
 * Returns the answer of a command hook to Claude Code. A denial is JSON, and also exit code 2 with the reason on standard error if that code denies
 * the event. Nothing written to standard output can undo that code (Claude Code's reference of hooks, "Exit code 2 behavior per event").
 */
export function hostAnswer(moment: ClaudeMoment, answer: JsonObject | undefined): HostAnswer {
  if (!answer) return { code: 0, stdout: '', stderr: '' };
  const reason = refusedBy(moment, answer);
  const stdout = `${JSON.stringify(answer)}\n`;
  return reason === undefined ? { code: 0, stdout, stderr: '' } : { code: 2, stdout, stderr: `${sentence(reason)}\n` };
}

/**
 * Returns the reason of a denial that is also exit code 2. For other answers, that code would show an output, prompt the user, or continue a session
 * that must end.
 */
function refusedBy({ hook_event_name: name }: ClaudeMoment, answer: JsonObject): string | undefined {
  const { permissionDecision, permissionDecisionReason } = (answer['hookSpecificOutput'] ?? {}) as JsonObject;
  if (name === 'PreToolUse' && permissionDecision === 'deny') return text(permissionDecisionReason);
  const blocks = answer['decision'] === 'block' && answer['continue'] !== false;
  return blocks && ['UserPromptSubmit', 'Stop', 'SubagentStop'].includes(name) ? text(answer['reason']) : undefined;
}

function text(value: JsonValue | undefined): string {
  // Some hosts continue if a denial has no reason.
  return typeof value === 'string' && value.trim() !== '' ? value : 'A hook denied this';
}

/** Denies an event that could not be evaluated. With `failOpen` the host continues. */
export function refuseClaude(event: string, why: string, failOpen: boolean): HostAnswer {
  const end = failOpen
    ? 'The host continues without it (--fail-open).'
    : 'The event is denied, because nothing was evaluated.';
  const stderr = `hookline could not evaluate the event: ${sentence(why)} ${end}\n`;
  if (failOpen) return { code: 1, stdout: '', stderr };
  const moment = namedMoment(event);
  switch (moment?.hook_event_name) {
    case undefined:
    case 'SessionStart':
      return { code: 2, stdout: '', stderr };
    case 'Stop':
    case 'SubagentStop':
      // The session was already continued once, and would be continued forever.
      if (moment.stop_hook_active) return { code: 1, stdout: '', stderr };
      break;
  }
  const answer = moment && refusalOf(moment, why);
  const stdout = answer ? `${JSON.stringify(answer)}\n` : '';
  // 2 would show the output, or prompt the user.
  const inWords = moment?.hook_event_name === 'PostToolUse' || moment?.hook_event_name === 'PermissionRequest';
  return { code: inWords ? 0 : 2, stdout, stderr };
}

/** The same for hosts that read JSON only, such as over HTTP. Returns `undefined` if a continued session may stop. */
export function refusalOf(moment: ClaudeMoment | undefined, why: string): JsonObject | undefined {
  const reason = `hookline could not evaluate the event: ${why}`;
  const output = (hookEventName: string, own: JsonObject) => ({ hookSpecificOutput: { hookEventName, ...own } });
  switch (moment?.hook_event_name) {
    case 'PreToolUse':
      return output('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: reason });
    case 'PermissionRequest':
      return output('PermissionRequest', { decision: { behavior: 'deny', message: reason } });
    case 'PostToolUse': {
      const text = `The output was withheld: ${reason}`;
      // Claude Code shows the original output if the substitute has another shape, so the turn ends.
      if (isTooDeep(moment.tool_response))
        return { continue: false, stopReason: reason, ...output('PostToolUse', { updatedToolOutput: text }) };
      return output('PostToolUse', { updatedToolOutput: shapedLike(moment.tool_response, text) });
    }
    case 'PostToolUseFailure':
    case 'UserPromptSubmit':
      return { decision: 'block', reason };
    case 'Stop':
    case 'SubagentStop':
      return moment.stop_hook_active ? undefined : { decision: 'block', reason };
    case 'SessionStart':
      return { systemMessage: reason };
    default:
      // The event is unknown, so the session ends.
      return { continue: false, stopReason: reason };
  }
}

/** Formats a text that hosts show as one line. */
function sentence(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
