import { type ToolAction, toolAction } from '../action/tool-action.ts';
import type { CallRule } from '../call-rule-schema.ts';
import type { RulePlace } from '../match-path.ts';
import type { RuleTest } from '../match-rules.ts';
import type { PermissionRule } from '../permission-rule.ts';
import type { RuleMatch } from '../rule-match.ts';
import { readInLine } from './read-in-line.ts';

/**
 * Creates the test of deny and ask rules `Read(path)` for shell commands that name the path; `undefined` without such a rule. `Read` alone is about tools
 * only: each command may read something.
 */
export function shellReads(rules: readonly PermissionRule[], place: RulePlace): RuleTest | undefined {
  const patterns = rules.flatMap(({ tool, specifier }) =>
    tool === 'Read' && specifier !== undefined ? [specifier] : [],
  );
  const test = patterns.length > 0 ? actionTest(patterns, place) : undefined;
  return test && (({ tool, input }) => test(toolAction({ name: tool, input })));
}

/** Creates the same test for an object rule with the tool `Read` and a path. `undefined` if the rule has other conditions, which are about fields of tools. */
export function shellReadsOf(rule: CallRule, place: RulePlace): ((action: ToolAction) => RuleMatch) | undefined {
  const { tool, path, reason: _, ...others } = rule;
  if (path === undefined || Object.keys(others).length > 0 || ![tool].flat().includes('Read')) return undefined;
  const patterns = [path].flat().filter((one) => one !== 'inside' && one !== 'outside');
  return patterns.length > 0 ? actionTest(patterns, place) : undefined;
}

function actionTest(patterns: readonly string[], place: RulePlace): (action: ToolAction) => RuleMatch {
  const names = readInLine(patterns, place);
  return ({ name, command }) => {
    if (command === undefined) return 'none';
    // The command may do more than read the path.
    return names(command, name === 'PowerShell' ? 'powershell' : 'posix') ? 'some' : 'none';
  };
}
