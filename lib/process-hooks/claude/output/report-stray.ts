import type { ClaudeEvent } from '../settings/event-names.ts';
import { specificShapes } from './event-shapes.ts';

/** Receives diagnostics of fields without effect. */
interface Report {
  readonly event: ClaudeEvent;
  report(code: string, message: string): void;
}

/** Fields of other events, with the code and the text of their diagnostic. */
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

/** Names that belong in `hookSpecificOutput`, and one that scripts print for another host. */
const SPECIFIC = new Set(['permission', ...Object.values(specificShapes).flatMap((shape) => Object.keys(shape))]);

/** Reports each field of an output that has no effect in its place, with the field that was probably intended. */
export function reportStray(
  top: Readonly<Record<string, unknown>>,
  unknownAtTop: readonly string[],
  unknownInside: readonly string[],
  hasSpecific: boolean,
  { event, report }: Report,
): void {
  const echoed = 'hook_event_name' in top && 'session_id' in top;
  if (echoed) report('echoed-input', 'printed the JSON of its standard input; its fields have no effect.');
  const misplaced = unknownAtTop.filter((name) => SPECIFIC.has(name));
  if (misplaced.length > 0) {
    const place = 'put them into "hookSpecificOutput", with "hookEventName"';
    report('misplaced', `printed ${quoted(misplaced)} at the top level of its JSON, which has no effect; ${place}.`);
  }
  const decides = top['decision'] !== undefined || top['continue'] === false || hasSpecific;
  if (top['reason'] !== undefined && !decides && misplaced.length === 0)
    report('reason-alone', 'printed a reason without a decision, which has no effect; add "decision": "block".');
  const foreign = unknownInside.flatMap((name) => (FOREIGN[name] ? [FOREIGN[name]] : []));
  for (const [code, what] of new Map(foreign)) {
    const instead = code === 'no-permission-here' ? (INSTEAD[event] ?? '') : '';
    report(code, `${what}, which has no effect at ${event}.${instead}`);
  }
  const others = echoed ? [] : unknownAtTop.filter((name) => !SPECIFIC.has(name));
  const unknown = [...others, ...unknownInside.filter((name) => FOREIGN[name] === undefined)];
  if (unknown.length > 0) report('unknown-member', `printed ${quoted(unknown)}, which has no effect at ${event}.`);
}

function quoted(names: readonly string[]): string {
  return names
    .slice(0, 10)
    .map((name) => JSON.stringify(name.slice(0, 100)))
    .join(', ');
}
