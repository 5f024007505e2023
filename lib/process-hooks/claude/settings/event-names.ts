/** The events of Claude Code that are supported. */
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

/** The source that ConfigChange matchers are compared with: the shared one of Claude Code's sources. */
export const CONFIG_SOURCE = 'project_settings';

export type ClaudeEvent = (typeof claudeEvents)[number];

/** Events whose matcher is ignored, because there is no value to compare. */
export const unmatched: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>(['UserPromptSubmit', 'Stop']);

export function isClaudeEvent(name: string): name is ClaudeEvent {
  return (claudeEvents as readonly string[]).includes(name);
}
