import { opencode } from '../../../../lib/cli/host-hook/dialects/opencode/opencode.ts';
import type { HostAnswer } from '../../../../lib/cli/host-hook/host-answer.ts';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import { type Action, type FakeHost, fieldsOf, type Outcome, textAt } from './fake-host.ts';

const base = { host: 'opencode', sessionID: 's', cwd: '/w/shop' };

function toolOf(action: Action): JsonObject {
  switch (action.does) {
    case 'shell':
      return { tool: 'bash', args: { command: action.command, description: 'Runs it' } };
    case 'read':
      return { tool: 'read', args: { filePath: action.path } };
    case 'write':
      return { tool: 'write', args: { filePath: action.path, content: action.content } };
    case 'fetch':
      return { tool: 'webfetch', args: { url: action.url, format: 'text' } };
    case 'mcp':
      return { tool: `${action.server}_${action.tool}`, args: action.input };
  }
}

/** opencode with our plugin. */
export const fakeOpencode: FakeHost = {
  dialect: opencode,
  cannot: ['ask', 'context', 'end', 'again'],
  call: (action) => ({ ...base, event: 'tool.execute.before', callID: 'c', ...toolOf(action) }),
  result: (action, output) => ({ ...base, event: 'tool.execute.after', callID: 'c', ...toolOf(action), output }),
  prompt: (prompt) => ({ ...base, event: 'chat.message', prompt }),
  stop: () => undefined,
  obey,
};

function obey(_: JsonObject, answer: HostAnswer): Outcome {
  const fields = fieldsOf(answer);
  const reason = textAt(fields, 'refused');
  // The plugin throws if the exit code is not 0.
  if (answer.code !== 0 || !fields || reason !== undefined) return { does: 'refuse', reason: reason ?? answer.stderr };
  return { does: 'run', input: fields['args'] as JsonObject | undefined, output: fields['output'] };
}
