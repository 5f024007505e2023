import type { ClaudeEvent } from '../settings/event-names.ts';
import { specificShapes } from './event-shapes.ts';

/** Where what has no effect is told. */
interface Told {
  readonly event: ClaudeEvent;
  tell(code: string, message: string): void;
}

/** What members of other events want, and the code that says that it is not to be had. */
const FOREIGN: Readonly<Record<string, readonly [code: string, what: string]>> = {
  permissionDecision: ['no-permission-here', 'gave a permission decision'],
  permissionDecisionReason: ['no-permission-here', 'gave a permission decision'],
  decision: ['no-permission-here', 'gave a permission decision as "decision"'],
  updatedInput: ['no-input-here', 'gave updatedInput'],
  updatedToolOutput: ['no-output-here', 'gave updatedToolOutput'],
  updatedMCPToolOutput: ['no-output-here', 'gave updatedMCPToolOutput'],
  additionalContext: ['no-context-here', 'gave additionalContext'],
};

const INSTEAD: { readonly [E in ClaudeEvent]?: string } = {
  PreToolUse: ' There it is "permissionDecision".',
  PermissionRequest: ' There it is "decision": { "behavior": .. }.',
};

/** Names that belong into `hookSpecificOutput`, and one that scripts print for another host. */
const SPECIFIC = new Set(['permission', ...Object.values(specificShapes).flatMap((shape) => Object.keys(shape))]);

/** Tells of each member of an output that has no effect where it stands, and of what was likely meant. */
export function tellStray(
  top: Readonly<Record<string, unknown>>,
  unknownAtTop: readonly string[],
  unknownInside: readonly string[],
  hasSpecific: boolean,
  { event, tell }: Told,
): void {
  const echoed = 'hook_event_name' in top && 'session_id' in top;
  if (echoed)
    tell('echoed-input', 'printed the JSON that it was given on standard input; its members have no effect there.');
  const misplaced = unknownAtTop.filter((name) => SPECIFIC.has(name));
  if (misplaced.length > 0) {
    const place = 'put them into "hookSpecificOutput", beside "hookEventName"';
    tell('misplaced', `printed ${quoted(misplaced)} at the top of its JSON, where they have no effect; ${place}.`);
  }
  const decides = top['decision'] !== undefined || top['continue'] === false || hasSpecific;
  if (top['reason'] !== undefined && !decides && misplaced.length === 0)
    tell(
      'reason-alone',
      'printed a reason without a decision, which has no effect; say "decision": "block" beside it.',
    );
  const foreign = unknownInside.flatMap((name) => (FOREIGN[name] ? [FOREIGN[name]] : []));
  for (const [code, what] of new Map(foreign)) {
    const instead = code === 'no-permission-here' ? (INSTEAD[event] ?? '') : '';
    tell(code, `${what}, which has no effect at ${event}.${instead}`);
  }
  const others = echoed ? [] : unknownAtTop.filter((name) => !SPECIFIC.has(name));
  const unknown = [...others, ...unknownInside.filter((name) => FOREIGN[name] === undefined)];
  if (unknown.length > 0) tell('unknown-member', `printed ${quoted(unknown)}, which has no effect at ${event}.`);
}

function quoted(names: readonly string[]): string {
  return names
    .slice(0, 10)
    .map((name) => JSON.stringify(name.slice(0, 100)))
    .join(', ');
}
