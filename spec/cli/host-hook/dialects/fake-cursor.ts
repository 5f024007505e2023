import { cursor } from '../../../../lib/cli/host-hook/dialects/cursor/cursor.ts';
import type { HostAnswer } from '../../../../lib/cli/host-hook/host-answer.ts';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import { type Action, type FakeHost, fieldsOf, type Outcome, textAt } from './fake-host.ts';

const base = {
  conversation_id: 'c',
  generation_id: 'g',
  model: 'm',
  cursor_version: '3.15.6',
  workspace_roots: ['/w/shop'],
  user_email: null,
  transcript_path: null,
};

/** Cursor with the set of events that `--install` writes, each with `failClosed`. */
export const fakeCursor: FakeHost = {
  dialect: cursor,
  cannot: ['rewrite', 'replace', 'context', 'end'],
  call(action) {
    switch (action.does) {
      case 'shell':
        return { ...base, hook_event_name: 'beforeShellExecution', command: action.command, cwd: '', sandbox: false };
      case 'read':
        return { ...base, hook_event_name: 'beforeReadFile', file_path: action.path, content: 'text', attachments: [] };
      case 'mcp': {
        const called = { tool_name: action.tool, tool_input: JSON.stringify(action.input) };
        return { ...base, hook_event_name: 'beforeMCPExecution', ...called, command: `npx -y ${action.server}` };
      }
      default:
        return { ...base, hook_event_name: 'preToolUse', tool_use_id: 't1', ...toolOf(action) };
    }
  },
  result: (action, output) => ({
    ...base,
    hook_event_name: 'postToolUse',
    tool_use_id: 't1',
    ...toolOf(action),
    tool_output: JSON.stringify({ output }),
    duration: 4,
  }),
  prompt: (prompt) => ({ ...base, hook_event_name: 'beforeSubmitPrompt', prompt, attachments: [] }),
  // It has no text of the model, so hooks that require a better answer have nothing to evaluate.
  stop: (_, again = false) => ({ ...base, hook_event_name: 'stop', status: 'completed', loop_count: again ? 1 : 0 }),
  obey,
};

function toolOf(action: Action): { readonly tool_name: string; readonly tool_input: JsonObject } {
  switch (action.does) {
    case 'shell':
      return { tool_name: 'Shell', tool_input: { command: action.command, working_directory: '' } };
    case 'read':
      return { tool_name: 'Read', tool_input: { file_path: action.path } };
    case 'write':
      return { tool_name: 'Write', tool_input: { path: action.path, contents: action.content } };
    case 'fetch':
      return { tool_name: 'WebFetch', tool_input: { url: action.url } };
    case 'mcp':
      return { tool_name: `MCP:${action.tool}`, tool_input: action.input };
  }
}

function obey({ hook_event_name: name }: JsonObject, answer: HostAnswer): Outcome {
  if (answer.code === 2) return { does: 'refuse', reason: undefined };
  const fields = fieldsOf(answer);
  // `failClosed` denies after a failure, and silence is one.
  if (answer.code !== 0 || !fields || answer.stdout.trim() === '') return { does: 'refuse' };
  const reason = textAt(fields, 'user_message');
  if (name === 'beforeSubmitPrompt') return { does: fields['continue'] === false ? 'refuse' : 'run', reason };
  const canAsk = name === 'beforeShellExecution' || name === 'beforeMCPExecution';
  const { permission } = fields;
  return {
    does: permission === 'deny' ? 'refuse' : permission === 'ask' && canAsk ? 'ask' : 'run',
    reason,
    input: name === 'preToolUse' ? (fields['updated_input'] as JsonObject | undefined) : undefined,
    again: textAt(fields, 'followup_message'),
  };
}
