import type { ClaudeEvent } from '../settings/event-names.ts';

/** Exit code 2 and `"decision": "block"` have no effect at these events. */
export const CANNOT_BLOCK: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>([
  'PermissionRequest',
  'Notification',
  'SessionStart',
  'SubagentStart',
  'SessionEnd',
  'StopFailure',
]);

/** At these events there is nothing left to stop. */
export const CANNOT_STOP: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>([
  'Notification',
  'SessionEnd',
  'StopFailure',
]);

/** Only at these events, plain text on standard output is context. */
export const TEXT_IS_CONTEXT: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>(['UserPromptSubmit', 'SessionStart']);
