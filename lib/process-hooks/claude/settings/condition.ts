import { homedir } from 'node:os';
import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { ruleMatcher } from '../../../permission-rules/match-rules.ts';
import { parsePermissionRule } from '../../../permission-rules/permission-rule.ts';
import type { ClaudeEvent } from './event-names.ts';
import type { Handler } from './settings.ts';

/** Returns whether a handler must run for this input. */
export type Condition = (input: JsonObject) => boolean;

/** Only these events contain a call. */
const OF_CALLS: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>([
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
]);

const always: Condition = () => true;

/**
 * Creates the condition of a handler, `if`: one permission rule. If the rule is invalid or cannot be evaluated, the handler runs, because an
 * additional guard does no harm.
 */
export function createCondition(
  { if: text }: Handler,
  event: ClaudeEvent,
  cwd = process.cwd(),
  report: (code: string, message: string) => void,
): Condition {
  if (text === undefined) return always;
  if (!OF_CALLS.has(event)) {
    report('if-without-call', `with if: ${JSON.stringify(text)}, which has no effect; it always runs.`);
    return always;
  }
  try {
    const rule = parsePermissionRule(text);
    const matches = ruleMatcher([rule], { cwd, home: homedir() });
    return ({ tool_name: tool, tool_input: input }) =>
      matches({ tool: String(tool), input: (input ?? {}) as JsonObject }) !== 'none';
  } catch (thrown) {
    report('if-unclear', `with an invalid condition, so it always runs. ${messageOf(thrown)}`);
    return always;
  }
}
