import type { JsonObject } from '../../../events/values/json-value.ts';
import type { DialectName } from '../dialects/dialect-names.ts';

/** Calls of a host, as it would send them. */
export interface Probe {
  /** A call that changes nothing. */
  readonly harmless: JsonObject;
  /** A call that the floor always denies: it writes the hook settings of the host. */
  readonly denied: JsonObject;
}

const SESSION = 'hookline-doctor';

/** Returns the calls that test an installed hook. */
export function probeOf(host: DialectName, cwd: string, settings: string): Probe {
  const text = 'written by hookline doctor';
  const probe = (of: (name: string, input: JsonObject) => JsonObject, read: Call, write: Call): Probe => ({
    harmless: of(...read),
    denied: of(...write),
  });
  const named = (event: string, more: JsonObject) => (tool_name: string, tool_input: JsonObject) => ({
    ...{ hook_event_name: event, cwd, tool_name, tool_input },
    ...more,
  });
  const session = { session_id: SESSION };
  const timestamp = new Date().toISOString();
  switch (host) {
    case 'claude':
      return probe(
        named('PreToolUse', { ...session, transcript_path: '', tool_use_id: 'doctor' }),
        ['Read', { file_path: 'hookline-doctor.txt' }],
        ['Write', { file_path: settings, content: text }],
      );
    case 'codex':
      return probe(
        named('PreToolUse', { ...session, ...CODEX, transcript_path: null, tool_use_id: 'doctor' }),
        ['Bash', { command: 'true' }],
        ['apply_patch', { command: `*** Begin Patch\n*** Add File: ${settings}\n+${text}\n*** End Patch` }],
      );
    case 'cursor':
      return probe(
        named('preToolUse', { ...CURSOR, conversation_id: SESSION, generation_id: 'doctor', workspace_roots: [cwd] }),
        ['Grep', { pattern: 'hookline-doctor', path: cwd }],
        ['Write', { file_path: settings, content: text }],
      );
    case 'gemini':
      return probe(
        named('BeforeTool', { ...session, transcript_path: '', timestamp }),
        ['read_file', { file_path: 'hookline-doctor.txt' }],
        ['write_file', { file_path: settings, content: text }],
      );
    case 'copilot':
      return probe(
        named('PreToolUse', { ...session, timestamp }),
        ['Read', { path: 'hookline-doctor.txt' }],
        ['Write', { path: settings, file_text: text }],
      );
    case 'kiro':
      return probe(
        named('PreToolUse', session),
        ['fs_read', { operations: [{ mode: 'Line', path: 'hookline-doctor.txt' }] }],
        ['fs_write', { command: 'create', path: settings, file_text: text }],
      );
    case 'opencode':
      return probe(
        (tool, args) => ({
          ...{ host: 'opencode', event: 'tool.execute.before', sessionID: SESSION, callID: 'doctor' },
          ...{ cwd, tool, args },
        }),
        ['read', { filePath: 'hookline-doctor.txt' }],
        ['write', { filePath: settings, content: text }],
      );
    case 'windsurf':
      return probe(
        (agent_action_name, tool_info) => ({ agent_action_name, trajectory_id: SESSION, tool_info }),
        ['pre_read_code', { file_path: 'hookline-doctor.txt' }],
        ['pre_write_code', { file_path: settings, edits: [] }],
      );
  }
}

type Call = readonly [name: string, input: JsonObject];

const CODEX = { turn_id: 'doctor', model: 'doctor', permission_mode: 'default' };
const CURSOR = { cursor_version: '0', model: 'doctor', user_email: null, transcript_path: null };
