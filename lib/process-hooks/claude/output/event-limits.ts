import type { ClaudeEvent } from '../settings/event-names.ts';

/** Exit 2 means nothing at these, nor does `"decision": "block"`. */
export const CANNOT_BLOCK: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>([
  'PermissionRequest',
  'Notification',
  'SessionStart',
  'SubagentStart',
  'SessionEnd',
  'StopFailure',
]);

/** Nothing is left to be stopped at these. */
export const CANNOT_STOP: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>([
  'Notification',
  'SessionEnd',
  'StopFailure',
]);

/** Plain text on standard output is context at these events only. */
export const TEXT_IS_CONTEXT: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>(['UserPromptSubmit', 'SessionStart']);
