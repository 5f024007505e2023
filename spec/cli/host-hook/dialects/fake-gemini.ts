import { gemini } from '../../../../lib/cli/host-hook/dialects/gemini/gemini.ts';
import type { HostAnswer } from '../../../../lib/cli/host-hook/host-answer.ts';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import { type Action, type FakeHost, fieldsOf, type Outcome, textAt } from './fake-host.ts';

const base = { session_id: 's', transcript_path: '/t.json', cwd: '/w/shop', timestamp: '2026-11-24T08:00:00Z' };

function toolOf(action: Action): JsonObject {
  switch (action.does) {
    case 'shell':
      return { tool_name: 'run_shell_command', tool_input: { command: action.command, description: 'Runs it' } };
    case 'read':
      return { tool_name: 'read_file', tool_input: { file_path: action.path } };
    case 'write':
      return { tool_name: 'write_file', tool_input: { file_path: action.path, content: action.content } };
    case 'fetch':
      return { tool_name: 'web_fetch', tool_input: { prompt: `Summarize ${action.url}` } };
    case 'mcp': {
      const { server, tool, input } = action;
      const mcp_context = { server_name: server, tool_name: tool };
      return { tool_name: `mcp_${server}_${tool}`, tool_input: input, mcp_context };
    }
  }
}

/** Gemini CLI, as tried with 0.61.0. */
export const fakeGemini: FakeHost = {
  dialect: gemini,
  cannot: [],
  call: (action) => ({ ...base, hook_event_name: 'BeforeTool', ...toolOf(action) }),
  result: (action, output) => ({
    ...base,
    hook_event_name: 'AfterTool',
    ...toolOf(action),
    tool_response: { llmContent: output, returnDisplay: output },
  }),
  prompt: (prompt) => ({ ...base, hook_event_name: 'BeforeAgent', prompt }),
  stop: (text, again = false) => ({
    ...base,
    hook_event_name: 'AfterAgent',
    prompt: 'Go!',
    prompt_response: text,
    stop_hook_active: again,
  }),
  obey,
};

function obey({ hook_event_name: name }: JsonObject, answer: HostAnswer): Outcome {
  const text = answer.stdout.trim() || answer.stderr.trim();
  const fields = fieldsOf({ ...answer, stdout: text });
  if (!fields) return answer.code > 1 && text ? { does: 'refuse', reason: text } : { does: 'run' };
  const specific = (fields['hookSpecificOutput'] ?? {}) as JsonObject;
  const { decision } = fields;
  const denied = decision === 'deny' || decision === 'block';
  const reason = textAt(fields, 'reason');
  const before = name !== 'AfterTool' && name !== 'AfterAgent';
  return {
    does: denied && before ? 'refuse' : decision === 'ask' && name === 'BeforeTool' ? 'ask' : 'run',
    reason,
    input: specific['tool_input'] as JsonObject | undefined,
    output: denied && name === 'AfterTool' ? reason : undefined,
    context: textAt(specific, 'additionalContext'),
    ended: fields['continue'] === false ? textAt(fields, 'stopReason') : undefined,
    again: denied && name === 'AfterAgent' ? reason : undefined,
  };
}
