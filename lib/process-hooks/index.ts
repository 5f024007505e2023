export { type ToolMapping, type ToolTable, workspaceToolTable } from '../permission-rules/action/tool-table.ts';
export { type ClaudeHooks, claudeHooks } from './claude/claude-hooks.ts';
export { type ClaudeHooksOptions, type Confirm, claudeHooksOptionsSchema } from './claude/claude-options.ts';
export type { Diagnostic } from './claude/diagnostic.ts';
export type { ClaudeSettings } from './claude/settings/settings.ts';
export { type ProcessHookOptions, processHookOptionsSchema } from './picoclaw/options.ts';
export { type ProcessHook, processHook } from './picoclaw/process-hook.ts';
export { protocolSchema } from './protocol-2/protocol-schema.ts';
