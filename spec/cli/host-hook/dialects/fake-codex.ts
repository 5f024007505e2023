import { codex } from '../../../../lib/cli/host-hook/dialects/codex/codex.ts';
import type { HostAnswer } from '../../../../lib/cli/host-hook/host-answer.ts';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import { claudeTool } from './fake-claude.ts';
import { type Action, type FakeHost, fieldsOf, type Outcome, textAt } from './fake-host.ts';

const base = {
  session_id: 'a1',
  turn_id: 't4',
  transcript_path: null,
  cwd: '/w/shop',
  model: 'gpt-x',
  permission_mode: 'default',
};

/** Codex has no tools that read or fetch: a shell reads files, and its web search is hosted. */
function codexTool(action: Action): { readonly tool_name: string; readonly tool_input: JsonObject } | undefined {
  switch (action.does) {
    case 'shell':
      return { tool_name: 'Bash', tool_input: { command: action.command } };
    case 'write': {
      const lines = action.content.split('\n').map((line) => `+${line}`);
      const patch = ['*** Begin Patch', `*** Add File: ${action.path}`, ...lines, '*** End Patch'];
      return { tool_name: 'apply_patch', tool_input: { command: patch.join('\n') } };
    }
    case 'mcp':
      return claudeTool(action);
    default:
      return undefined;
  }
}

/** Codex CLI, as tried with 0.169.0. */
export const fakeCodex: FakeHost = {
  dialect: codex,
  cannot: ['ask'],
  call(action) {
    const tool = codexTool(action);
    return tool && { ...base, hook_event_name: 'PreToolUse', tool_use_id: 'c9', ...tool };
  },
  result(action, output) {
    const tool = codexTool(action);
    return tool && { ...base, hook_event_name: 'PostToolUse', tool_use_id: 'c9', ...tool, tool_response: output };
  },
  prompt: (prompt) => ({ ...base, hook_event_name: 'UserPromptSubmit', prompt }),
  stop: (text, again = false) => ({
    ...base,
    hook_event_name: 'Stop',
    stop_hook_active: again,
    last_assistant_message: text,
  }),
  obey,
};

/** The fields that the parser of Codex accepts. Any other one makes the hook fail, and the call runs. */
const TOP = ['continue', 'stopReason', 'suppressOutput', 'systemMessage', 'decision', 'reason', 'hookSpecificOutput'];
const SPECIFIC: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
  PostToolUse: ['additionalContext'],
  UserPromptSubmit: ['additionalContext'],
};

function obey(event: JsonObject, answer: HostAnswer): Outcome {
  const name = String(event['hook_event_name']);
  const isPost = name === 'PostToolUse';
  if (answer.code === 2 && answer.stderr.trim() !== '') {
    const reason = answer.stderr.trim();
    if (name === 'Stop') return { does: 'run', again: reason };
    return isPost ? { does: 'run', output: reason } : { does: 'refuse', reason };
  }
  const fields = answer.code === 0 ? fieldsOf(answer) : undefined;
  const specific = (fields?.['hookSpecificOutput'] ?? {}) as JsonObject;
  const known = ['hookEventName', ...(SPECIFIC[name] ?? [])];
  if (!fields || Object.keys(fields).some((key) => !TOP.includes(key))) return { does: 'run' };
  if (Object.keys(specific).some((key) => !known.includes(key))) return { does: 'run' };
  const reason = textAt(fields, 'reason')?.trim();
  const blocks = fields['decision'] === 'block' && reason;
  if (name === 'PreToolUse') return obeyed(event, fields, specific);
  const ended = fields['continue'] === false ? (textAt(fields, 'stopReason') ?? '') : undefined;
  return {
    does: name === 'UserPromptSubmit' && (blocks || ended !== undefined) ? 'refuse' : 'run',
    reason,
    output: isPost ? (ended ?? (blocks ? reason : undefined)) : undefined,
    context: textAt(specific, 'additionalContext'),
    ended,
    again: name === 'Stop' && blocks ? reason : undefined,
  };
}

function obeyed(event: JsonObject, fields: JsonObject, specific: JsonObject): Outcome {
  const decision = specific['permissionDecision'];
  const input = specific['updatedInput'] as JsonObject | undefined;
  const reason = textAt(specific, 'permissionDecisionReason')?.trim();
  if (fields['continue'] === false || fields['suppressOutput']) return { does: 'run' };
  if (decision === 'deny') return reason ? { does: 'refuse', reason } : { does: 'run' };
  // An input without an allow, and an allow without an input, are ignored.
  if (decision !== 'allow' || !input) return { does: 'run' };
  const needsCommand = ['Bash', 'apply_patch'].includes(String(event['tool_name']));
  return needsCommand && typeof input['command'] !== 'string' ? { does: 'refuse' } : { does: 'run', input };
}
