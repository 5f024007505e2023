import type { Permission } from '../../../../events/parts/tool-description.ts';
import type { JsonObject } from '../../../../events/values/json-value.ts';
import { toOurs, toTheirs, workspaceToolTable } from '../../../../permission-rules/action/tool-table.ts';
import type { HostTool } from '../../judge/host-call.ts';
import type { Effects } from '../../judge/host-moment.ts';
import type { Dialect } from '../dialect.ts';
import { type ClaudeEventName, type ClaudeLike, readClaudeEvent } from './read.ts';
import { refuseClaude } from './refuse.ts';
import { writeClaude } from './write.ts';

const can: Readonly<Record<ClaudeEventName, Effects>> = {
  PreToolUse: { ask: 'possible', rewrite: 'asked', end: true },
  // The user is being asked. Only the user can allow the call, and only the original one.
  PermissionRequest: { ask: 'always', end: true },
  PostToolUse: { replace: true, context: true, end: true },
  PostToolUseFailure: { context: true, end: true },
  UserPromptSubmit: { context: true },
  SessionStart: {},
  Stop: { end: true },
  SubagentStop: { end: true },
};

const like: ClaudeLike = { title: 'Claude Code', can, toolOf: claudeTool };

/** The command hooks of Claude Code, and of hosts that read its settings (code.claude.com, "Hooks reference"). */
export const claude: Dialect = {
  host: 'claude',
  title: like.title,
  read: (event) => readClaudeEvent(event, like),
  write: writeClaude,
  refuse: refuseClaude,
};

const reading = ['Read', 'Glob', 'Grep', 'LS', 'NotebookRead', 'TodoRead'];
const writing = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'TodoWrite'];

/** Returns a tool of Claude Code, under our name if we have it. */
export function claudeTool(name: string): HostTool {
  const [ours] = Object.entries(workspaceToolTable).find(([, { as }]) => as === name) ?? [];
  const known = ours ?? name;
  return {
    name: known,
    permission: permissionOf(name),
    toOurs: (input) => toOurs(workspaceToolTable, known, input),
    keyOf: (field) => (ours ? keyOf(ours, field) : field),
  };
}

function keyOf(ours: string, field: string): string {
  const input: JsonObject = { [field]: '' };
  return Object.keys(toTheirs(workspaceToolTable, ours, input).input)[0] ?? field;
}

function permissionOf(name: string): Permission {
  if (reading.includes(name)) return 'read';
  return writing.includes(name) ? 'write' : 'external';
}
