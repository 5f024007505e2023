/** The events of Claude Code that have a moment here. */
export const claudeEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'Notification',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'StopFailure',
  'SessionEnd',
  'ConfigChange',
] as const;

/** What matchers of ConfigChange are compared with here: of the places that Claude Code has, the one that is shared. */
export const CONFIG_SOURCE = 'project_settings';

export type ClaudeEvent = (typeof claudeEvents)[number];

/** Events whose matcher is ignored, as there is nothing to compare it with. */
export const unmatched: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>(['UserPromptSubmit', 'Stop']);

/** Whether there is a moment for an event of that name. */
export function isClaudeEvent(name: string): name is ClaudeEvent {
  return (claudeEvents as readonly string[]).includes(name);
}
