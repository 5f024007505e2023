import { nearestName } from '../../../errors/nearest-name.ts';

/** All events of Claude Code, including unsupported ones. */
export const hostEvents: readonly string[] = [
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'StopFailure',
  'PreCompact',
  'PostCompact',
  'MessageDisplay',
  'PreModelSwitch',
  'PostModelSwitch',
  'Notification',
  'Setup',
  'ConfigChange',
  'Elicitation',
  'ElicitationResult',
  'TaskCreated',
  'TaskCompleted',
  'TeammateIdle',
  'WorktreeCreate',
  'WorktreeRemove',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
];

/** All handler types of Claude Code. */
export const hostHandlerTypes: readonly string[] = ['command', 'http', 'mcp_tool', 'prompt', 'agent'];

/** Returns the known name that `name` misspells. A more different name may belong to a later version. */
export function misspelled(name: string, known: readonly string[]): string | undefined {
  return known.includes(name) ? undefined : nearestName(name, known, 2);
}
