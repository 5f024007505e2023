import { type ToolAction, toolAction } from '../action/tool-action.ts';
import type { CallRule } from '../call-rule-schema.ts';
import { createDiskView } from '../disk-view.ts';
import type { RulePlace } from '../match-path.ts';
import type { RuleTest } from '../match-rules.ts';
import type { PermissionRule } from '../permission-rule.ts';
import { type RuleMatch, strongest } from '../rule-match.ts';
import { keptPlaces } from './kept-places.ts';
import { readInLine } from './read-in-line.ts';
import { writtenBy } from './written-by-line.ts';

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
  const test = tool === 'Edit' ? writeTest(patterns, place) : readInLine(patterns, place);
  return ({ name, command }) => {
    if (command === undefined) return 'none';
    const shell = name === 'PowerShell' ? 'powershell' : 'posix';
    // The command may do more than that.
    return test(command, shell) ? 'some' : 'none';
  };
}

type Shell = 'posix' | 'powershell';

/** Creates a test whether a line writes a path of a pattern, or removes or moves a folder with one. */
function writeTest(patterns: readonly string[], place: RulePlace): (line: string, shell: Shell) => boolean {
  const names = readInLine(patterns, place);
  // `find -name '*.log'` could find `.env.log`, but not because the rule names it.
  const finds = readInLine(
    patterns.map((one) => one.replace(/\*+/g, 'x')),
    place,
  );
  const whole = patterns.map((one) => one.replace(/\/\*\*?$/, ''));
  const kept = keptPlaces(
    whole.filter((one) => /\w/.test(one) && !/[*?[\]\\]/.test(one)),
    place,
  );
  const isAbove = (path: string) =>
    [place.cwd, place.home].some((one) => `${one}/`.startsWith(path.replace(/\/?$/, '/')));
  return (given, shell) => {
    // In PowerShell, backslashes separate folders.
    const { line, searches, folders } = writtenBy(shell === 'powershell' ? given.replaceAll('\\', '/') : given, place);
    if (line === '') return false;
    const disk = createDiskView();
    const holds = (path: string) => !isAbove(path) && (kept.isAt(path, disk) || kept.isBelow(path, disk));
    return names(line, shell) || (searches !== '' && finds(searches, shell)) || folders.some(holds);
  };
}
