import { nearestName } from '../../../errors/nearest-name.ts';

/** All events that Claude Code has, those without a moment here too. */
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

/** All types of handlers that Claude Code has. */
export const hostHandlerTypes: readonly string[] = ['command', 'http', 'mcp_tool', 'prompt', 'agent'];

/** The known name that `name` is a misspelling of. What is further away may be a name of a later version. */
export function misspelled(name: string, known: readonly string[]): string | undefined {
  return known.includes(name) ? undefined : nearestName(name, known, 2);
}
