import { copilot } from '../../../../lib/cli/host-hook/dialects/copilot/copilot.ts';
import type { HostAnswer } from '../../../../lib/cli/host-hook/host-answer.ts';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import { type Action, type FakeHost, fieldsOf, type Outcome, textAt } from './fake-host.ts';

const base = { session_id: 's', timestamp: '2026-11-24T08:00:00Z', cwd: '/w/shop' };

function toolOf(action: Action): JsonObject {
  switch (action.does) {
    case 'shell':
      return { tool_name: 'Bash', tool_input: { command: action.command, description: 'Runs it' } };
    case 'read':
      return { tool_name: 'Read', tool_input: { path: action.path } };
    case 'write':
      return { tool_name: 'Write', tool_input: { path: action.path, file_text: action.content } };
    case 'fetch':
      return { tool_name: 'WebFetch', tool_input: { url: action.url } };
    case 'mcp':
      return { tool_name: `${action.server}-${action.tool}`, tool_input: action.input };
  }
}

/** Copilot CLI with the events of `--install`, as its documentation says. */
export const fakeCopilot: FakeHost = {
  dialect: copilot,
  cannot: ['context', 'end'],
  call: (action) => ({ ...base, hook_event_name: 'PreToolUse', ...toolOf(action) }),
  result: (action, output) => ({
    ...base,
    hook_event_name: 'PostToolUse',
    ...toolOf(action),
    tool_result: { result_type: 'success', text_result_for_llm: output },
  }),
  prompt: (prompt) => ({ ...base, hook_event_name: 'UserPromptSubmit', prompt }),
  // It has no text of the model.
  stop: (_, again = false) => ({ ...base, hook_event_name: 'Stop', stop_hook_active: again }),
  obey,
};

function obey({ hook_event_name: name }: JsonObject, answer: HostAnswer): Outcome {
  const isPre = name === 'PreToolUse';
  const fields = fieldsOf(answer);
  if (isPre && answer.code !== 0) return { does: 'refuse', reason: textAt(fields, 'permissionDecisionReason') };
  if (!fields) return { does: 'run' };
  const blocks = fields['decision'] === 'block';
  const decision = isPre ? fields['permissionDecision'] : undefined;
  return {
    does:
      decision === 'deny' || (blocks && name === 'UserPromptSubmit') ? 'refuse' : decision === 'ask' ? 'ask' : 'run',
    reason: textAt(fields, 'permissionDecisionReason') ?? textAt(fields, 'reason'),
    input: fields['modifiedArgs'] as JsonObject | undefined,
    output: textAt(fields, 'modifiedResult', 'textResultForLlm'),
    again: name === 'Stop' && blocks ? textAt(fields, 'reason') : undefined,
  };
}
