import { withoutUndefined } from '../../../events/values/without-undefined.ts';
import type { Diagnose } from '../diagnostic.ts';
import type { ClaudeEvent } from '../settings/event-names.ts';
import { CANNOT_BLOCK, CANNOT_STOP } from './event-limits.ts';
import { type Shape, type Specific, specificShapes, topShape, type Values } from './event-shapes.ts';
import type { Outcome } from './output.ts';
import { reportStray } from './report-stray.ts';

export interface OutputContext {
  readonly event: ClaudeEvent;
  /** The command or URL, for diagnostics. */
  readonly hook: string;
  readonly diagnose: Diagnose;
}

const NO_REASON = 'The hook gave no reason.';

/**
 * Reads the JSON output of a handler for an event, and reports fields without effect. If a field is invalid, only a denial counts:
 * a guard that denies a call must not be ignored because of another field.
 */
export function readJson(value: object, context: OutputContext): Outcome {
  const { event, hook, diagnose } = context;
  const report = (code: string, message: string) => diagnose({ code, event, hook, message });
  const { hookSpecificOutput: specific, ...rest } = value as Record<string, unknown>;
  const top = readFields(rest, topShape);
  const own = readSpecific(specific, event, report);
  reportStray(rest, top.unknown, own.unknown, specific !== undefined, { event, report });
  const outcome = meaning(top.valid, own.valid, event, report);
  const problems = [...top.problems, ...own.problems];
  const stray = problems.length === 0 && strayRefusal(rest, specific, event);
  if (stray) return { ...outcome, invalid: stray };
  if (problems.length === 0) return outcome;
  const refuses =
    outcome.block !== undefined || outcome.stop !== undefined || /deny|ask/.test(outcome.permission ?? '');
  const what = refuses ? 'only its denial applies' : 'it decides nothing';
  const invalid = `printed invalid JSON output, so ${what}: ${problems.join('; ')}.`;
  report('bad-json', invalid);
  const { block, permission, reason, stop, systemMessage } = outcome;
  return refuses ? withoutUndefined({ block, permission, reason, stop, systemMessage }) : { invalid };
}

/** Finds a denial in a place where it is not read. A guard that blocks on failure then counts as failed. */
function strayRefusal(top: unknown, specific: unknown, event: ClaudeEvent): string | undefined {
  if (event !== 'PreToolUse' && event !== 'PermissionRequest') return undefined;
  const named = (specific as { hookEventName?: unknown } | null | undefined)?.hookEventName;
  const refuses = (place: unknown, read: boolean): boolean => {
    const { permissionDecision: word, decision } = (place ?? {}) as Record<string, unknown>;
    const behavior = (decision as { behavior?: unknown } | null | undefined)?.behavior;
    const asWord = (word === 'deny' || word === 'ask') && !(read && event === 'PreToolUse');
    return asWord || (behavior === 'deny' && !(read && event === 'PermissionRequest'));
  };
  const stray = refuses(top, false) || refuses(specific, named === event);
  return stray ? `printed a denial in a place that ${event} does not read` : undefined;
}

function readSpecific(specific: unknown, event: ClaudeEvent, report: (code: string, message: string) => void) {
  const nothing = { valid: {}, problems: [], unknown: [] };
  if (specific === undefined || specific === null) return nothing;
  const named = (specific as { hookEventName?: unknown }).hookEventName;
  if (typeof specific !== 'object' || Array.isArray(specific))
    return { ...nothing, problems: ['hookSpecificOutput: expected an object'] };
  if (typeof named !== 'string')
    return { ...nothing, problems: [`hookSpecificOutput.hookEventName: expected "${event}"`] };
  if (named !== event) {
    report('foreign-event', `printed hookSpecificOutput for ${named}; at ${event} it has no effect.`);
    return nothing;
  }
  const { hookEventName: _, ...fields } = specific as Record<string, unknown>;
  const shape: Shape = specificShapes[event];
  return readFields(fields, shape, 'hookSpecificOutput.');
}

function meaning(
  top: Values<typeof topShape>,
  own: Specific,
  event: ClaudeEvent,
  report: (code: string, message: string) => void,
): Outcome {
  const wantsBlock = top.decision === 'block';
  const canBlock = !CANNOT_BLOCK.has(event);
  if (wantsBlock && !canBlock) report('cannot-block', `printed "decision": "block", which has no effect at ${event}.`);
  const approves = top.decision === 'approve';
  if (approves && event !== 'PreToolUse')
    report('no-permission-here', `printed "decision": "approve", which has no effect at ${event}.`);
  const stops = top.continue === false;
  if (stops && CANNOT_STOP.has(event))
    report('cannot-stop', `printed "continue": false, which has no effect at ${event}.`);
  if (top.stopReason !== undefined && !stops)
    report('stop-reason-alone', 'printed a stopReason without "continue": false, which has no effect.');
  const { decision } = own;
  if (decision?.interrupt)
    report('no-interrupt', 'requested an interrupt, which is not supported; print "continue": false to end the run.');
  const permission = own.permissionDecision === 'defer' ? 'ask' : (own.permissionDecision ?? decision?.behavior);
  const replaced = 'updatedToolOutput' in own ? own.updatedToolOutput : own.updatedMCPToolOutput;
  return withoutUndefined({
    block: wantsBlock && canBlock ? (top.reason ?? NO_REASON) : undefined,
    permission: permission ?? (approves && event === 'PreToolUse' ? 'allow' : undefined),
    reason: decision?.message ?? own.permissionDecisionReason ?? top.reason,
    updatedInput: decision?.updatedInput ?? own.updatedInput,
    context: own.additionalContext || undefined,
    updatedOutput: replaced === undefined ? undefined : { value: replaced },
    initialUserMessage: own.initialUserMessage || undefined,
    stop: stops && !CANNOT_STOP.has(event) ? (top.stopReason ?? 'A hook stopped the run.') : undefined,
    systemMessage: top.systemMessage || undefined,
  });
}

/** The fields of an object, each validated separately. */
interface Fields {
  /** The valid fields. A field that is null counts as missing. */
  readonly valid: Readonly<Record<string, unknown>>;
  /** Validation errors of the others: `continue: Invalid input ..`. */
  readonly problems: readonly string[];
  /** Names that are not in the shape. */
  readonly unknown: readonly string[];
}

/** Validates the fields of `value` with a shape. `at` is the prefix of their names in problems. */
function readFields(value: object, shape: Shape, at = ''): Fields {
  const valid: Record<string, unknown> = {};
  const problems: string[] = [];
  const unknown: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const parsed = field === null ? undefined : schema?.safeParse(field);
    if (!schema) unknown.push(name);
    else if (parsed?.success) valid[name] = parsed.data;
    else
      for (const { path, message } of parsed?.error.issues ?? [])
        problems.push(`${[at + name, ...path].join('.')}: ${message}`);
  }
  return { valid, problems, unknown };
}
