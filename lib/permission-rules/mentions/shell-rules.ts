import { type ToolAction, toolAction } from '../action/tool-action.ts';
import type { CallRule } from '../call-rule-schema.ts';
import type { RulePlace } from '../match-path.ts';
import type { RuleTest } from '../match-rules.ts';
import type { PermissionRule } from '../permission-rule.ts';
import { type RuleMatch, strongest } from '../rule-match.ts';
import { readInLine } from './read-in-line.ts';
import { writtenLine } from './written-line.ts';

const TOOLS = ['Read', 'Edit'] as const;

type ActionTest = (action: ToolAction) => RuleMatch;

/**
 * Creates the test of deny and ask rules `Read(path)` for shell commands that name the path, and `Edit(path)` for those that write it; `undefined` without
 * such a rule. `Read` alone is about tools only: each command may read something.
 */
export function shellRules(rules: readonly PermissionRule[], place: RulePlace): RuleTest | undefined {
  const test = together(
    TOOLS.map((tool) => {
      const own = rules.flatMap((rule) => (rule.tool === tool && rule.specifier !== undefined ? [rule.specifier] : []));
      return actionTest(tool, own, place);
    }),
  );
  return test && (({ tool, input }) => test(toolAction({ name: tool, input })));
}

/** Creates the same test for an object rule with such a tool and a path. `undefined` if the rule has other conditions, which are about fields of tools. */
export function shellRule(rule: CallRule, place: RulePlace): ActionTest | undefined {
  const { tool, path, reason: _, ...others } = rule;
  if (path === undefined || Object.keys(others).length > 0) return undefined;
  const patterns = [path].flat().filter((one) => one !== 'inside' && one !== 'outside');
  return together(TOOLS.map((one) => ([tool].flat().includes(one) ? actionTest(one, patterns, place) : undefined)));
}

function together(given: readonly (ActionTest | undefined)[]): ActionTest | undefined {
  const tests = given.filter((test) => test !== undefined);
  return tests.length === 0 ? undefined : (action) => strongest(tests.map((test) => test(action)));
}

function actionTest(
  tool: (typeof TOOLS)[number],
  patterns: readonly string[],
  place: RulePlace,
): ActionTest | undefined {
  if (patterns.length === 0) return undefined;
  const isNamed = readInLine(patterns, place);
  return ({ name, command }) => {
    if (command === undefined) return 'none';
    const isPowerShell = name === 'PowerShell';
    // There, backslashes separate folders.
    const line = isPowerShell ? command.replaceAll('\\', '/') : command;
    const about = tool === 'Edit' ? writtenLine(line, place) : command;
    // The command may do more than that.
    return isNamed(about, isPowerShell ? 'powershell' : 'posix') ? 'some' : 'none';
  };
}
