import { claude } from '../../../../lib/cli/host-hook/dialects/claude/claude.ts';
import type { HostAnswer } from '../../../../lib/cli/host-hook/host-answer.ts';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import { type Action, type FakeHost, fieldsOf, type Outcome, textAt } from './fake-host.ts';

const base = { session_id: 's1', cwd: '/w/shop', transcript_path: '/t', permission_mode: 'default' };

export function claudeTool(action: Action): { readonly tool_name: string; readonly tool_input: JsonObject } {
  switch (action.does) {
    case 'shell':
      return { tool_name: 'Bash', tool_input: { command: action.command, description: 'Runs it' } };
    case 'read':
      return { tool_name: 'Read', tool_input: { file_path: action.path } };
    case 'write':
      return { tool_name: 'Write', tool_input: { file_path: action.path, content: action.content } };
    case 'fetch':
      return { tool_name: 'WebFetch', tool_input: { url: action.url, prompt: 'Summarize' } };
    case 'mcp':
      return { tool_name: `mcp__${action.server}__${action.tool}`, tool_input: action.input };
  }
}

/** Claude Code, as its reference of hooks says. */
export const fakeClaude: FakeHost = {
  dialect: claude,
  cannot: [],
  call: (action) => ({ ...base, hook_event_name: 'PreToolUse', tool_use_id: 't1', ...claudeTool(action) }),
  result: (action, output) => ({
    ...base,
    hook_event_name: 'PostToolUse',
    tool_use_id: 't1',
    ...claudeTool(action),
    tool_response: { stdout: output, stderr: '' },
  }),
  prompt: (prompt) => ({ ...base, hook_event_name: 'UserPromptSubmit', prompt }),
  stop: (text, again = false) => ({
    ...base,
    hook_event_name: 'Stop',
    stop_hook_active: again,
    last_assistant_message: text,
  }),
  obey,
};

function obey(event: JsonObject, answer: HostAnswer): Outcome {
  const name = String(event['hook_event_name']);
  if (answer.code === 2) {
    if (name === 'Stop') return { does: 'run', again: answer.stderr.trim() };
    return name === 'PostToolUse' ? { does: 'run' } : { does: 'refuse', reason: answer.stderr.trim() };
  }
  const fields = answer.code === 0 ? fieldsOf(answer) : undefined;
  if (!fields) return { does: 'run' };
  const specific = (fields['hookSpecificOutput'] ?? {}) as JsonObject;
  const ended = fields['continue'] === false ? textAt(fields, 'stopReason') : undefined;
  const decision = specific['permissionDecision'];
  const blocks = fields['decision'] === 'block';
  return {
    does:
      decision === 'deny' || (blocks && name === 'UserPromptSubmit') ? 'refuse' : decision === 'ask' ? 'ask' : 'run',
    reason: textAt(specific, 'permissionDecisionReason') ?? textAt(fields, 'reason'),
    input: decision === 'deny' ? undefined : (specific['updatedInput'] as JsonObject | undefined),
    output: (specific['updatedToolOutput'] as JsonObject | undefined)?.['stdout'],
    context: textAt(specific, 'additionalContext'),
    ended,
    again: blocks && name === 'Stop' ? textAt(fields, 'reason') : undefined,
  };
}
