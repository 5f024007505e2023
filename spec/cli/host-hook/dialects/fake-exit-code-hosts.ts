import { kiro } from '../../../../lib/cli/host-hook/dialects/kiro/kiro.ts';
import { windsurf } from '../../../../lib/cli/host-hook/dialects/windsurf/windsurf.ts';
import type { HostAnswer } from '../../../../lib/cli/host-hook/host-answer.ts';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import type { FakeHost, Outcome } from './fake-host.ts';

const obey = (_: JsonObject, { code, stderr }: HostAnswer): Outcome =>
  code === 2 ? { does: 'refuse', reason: stderr.trim() } : { does: 'run' };

const cannot = ['ask', 'rewrite', 'replace', 'context', 'end', 'again'] as const;

/** Windsurf, as its documentation says. */
export const fakeWindsurf: FakeHost = {
  dialect: windsurf,
  cannot,
  call(action) {
    const event = (name: string, tool_info: JsonObject) => ({
      agent_action_name: name,
      trajectory_id: 't',
      execution_id: 'e',
      timestamp: '2026-11-24T08:00:00Z',
      tool_info,
    });
    switch (action.does) {
      case 'shell':
        return event('pre_run_command', { command_line: action.command });
      case 'read':
        return event('pre_read_code', { file_path: action.path });
      case 'write':
        return event('pre_write_code', {
          file_path: action.path,
          edits: [{ old_string: '', new_string: action.content }],
        });
      case 'mcp': {
        const { server, tool, input } = action;
        return event('pre_mcp_tool_use', { mcp_server_name: server, mcp_tool_name: tool, mcp_tool_arguments: input });
      }
      default:
        return undefined;
    }
  },
  result: () => undefined,
  prompt: (user_prompt) => ({ agent_action_name: 'pre_user_prompt', trajectory_id: 't', tool_info: { user_prompt } }),
  stop: () => undefined,
  obey,
};

/** Kiro, as its documentation says. */
export const fakeKiro: FakeHost = {
  dialect: kiro,
  cannot,
  call(action) {
    const event = (tool_name: string, tool_input: JsonObject) => ({
      hook_event_name: 'preToolUse',
      cwd: '/w/shop',
      tool_name,
      tool_input,
    });
    switch (action.does) {
      case 'shell':
        return event('execute_bash', { command: action.command });
      case 'read':
        return event('fs_read', { operations: [{ mode: 'Line', path: action.path }] });
      case 'write':
        return event('fs_write', { command: 'create', path: action.path, file_text: action.content });
      case 'mcp':
        return event(`@${action.server}/${action.tool}`, action.input);
      default:
        return undefined;
    }
  },
  result: () => undefined,
  prompt: () => undefined,
  stop: () => undefined,
  obey,
};
