import type { JsonObject } from '../events/values/json-value.ts';
import { knownTools } from './action/known-tools.ts';
import { calledCommandMatcher } from './action/match-called-command.ts';
import { matchCalledPaths, matchCalledUrls } from './action/match-called-paths.ts';
import { removesFile, toolAction } from './action/tool-action.ts';
import { isInFamily, type RuleEffect } from './action/tool-families.ts';
import { domainMatcher } from './match-domain.ts';
import { pathMatcher, type RulePlace } from './match-path.ts';
import type { PermissionRule } from './permission-rule.ts';
import { type RuleMatch, strongest } from './rule-match.ts';
import { createWildcard } from './wildcard.ts';

/** A call under the names that rules use: `Bash`, `Read`, `file_path`. */
export interface RuledCall {
  readonly tool: string;
  readonly input: JsonObject;
  /** The tool's own name, if rules may use it too: `run_command`. */
  readonly own?: string;
}

/** Returns how rules match a call. */
export type RuleTest = (call: RuledCall) => RuleMatch;

/** The maximum number of tool names cached with their rules, because a model may invent any number. */
const REMEMBERED = 1_000;

/**
 * Returns how rules match a call together: for `all`, one of them must cover each command of a line. `effect`: allow rules match no tool that does more than
 * its family.
 */
export function ruleMatcher(
  rules: readonly PermissionRule[],
  place: RulePlace,
  effect: RuleEffect = 'refuse',
): RuleTest {
  // Most rules are about other tools; the rules of each tool are selected once.
  const byTool = new Map<string, RuleTest>();
  return (call) => {
    const name = `${call.tool}\n${call.own ?? ''}`;
    let test = byTool.get(name);
    if (!test) {
      if (byTool.size >= REMEMBERED) byTool.clear();
      test = testFor(rules, call, place, effect);
      byTool.set(name, test);
    }
    return test(call);
  };
}

function testFor(
  rules: readonly PermissionRule[],
  { tool, own }: RuledCall,
  place: RulePlace,
  effect: RuleEffect,
): RuleTest {
  const candidates = rules.filter((rule) => namesTool(rule.tool, tool, effect) || isOwnName(rule.tool, own));
  const test = testOf(candidates, tool, place, effect);
  if (effect === 'refuse' && knownTools.get(tool)?.family === 'shell') {
    const patched = patchedTest(rules, place);
    return patched ? (call) => strongest([test(call), patched(call)]) : test;
  }
  if (effect === 'refuse' || tool !== PATCH) return test;
  // Deletion is more than the family allows, as with `delete_file`.
  const exact = candidates.filter((rule) => !isInFamily(rule.tool, tool, effect));
  const testExact = testOf(exact, tool, place, effect);
  return (call) => (removesFile(toolAction({ name: tool, input: call.input })) ? testExact(call) : test(call));
}

/** The tool whose patches a shell line may contain. */
const PATCH = 'apply_patch';

/** Returns the test of rules for patches in a shell line: what a patch changes, it changes there, too. */
function patchedTest(rules: readonly PermissionRule[], place: RulePlace): RuleTest | undefined {
  const candidates = rules.filter((rule) => namesTool(rule.tool, PATCH, 'refuse'));
  if (candidates.length === 0) return undefined;
  const specifiers = candidates.flatMap(({ specifier }) => specifier ?? []);
  const test = specifiers.length < candidates.length ? () => 'all' as const : pathMatcher(specifiers, place);
  return ({ tool, input }) => {
    const action = toolAction({ name: tool, input });
    const match = action.command === undefined ? 'none' : matchCalledPaths(action, test);
    // The line may do more than its patch.
    return match === 'all' ? 'some' : match;
  };
}

function testOf(candidates: readonly PermissionRule[], tool: string, place: RulePlace, effect: RuleEffect): RuleTest {
  if (candidates.length === 0) return () => 'none';
  const specifiers = candidates.flatMap(({ specifier }) => specifier ?? []);
  return specifiers.length < candidates.length ? () => 'all' : specifierTest(specifiers, tool, place, effect);
}

function namesTool(rule: string, tool: string, effect: RuleEffect): boolean {
  if (rule === tool || isInFamily(rule, tool, effect)) return true;
  // A server stands for all of its tools.
  if (/^mcp__[^*]+$/.test(rule) && !rule.slice('mcp__'.length).includes('__')) return tool.startsWith(`${rule}__`);
  return rule.includes('*') && createWildcard(rule)(tool);
}

function isOwnName(rule: string, own: string | undefined): boolean {
  return own !== undefined && (rule === own || (rule.includes('*') && createWildcard(rule)(own)));
}

function specifierTest(specifiers: readonly string[], tool: string, place: RulePlace, effect: RuleEffect): RuleTest {
  const kind = knownTools.get(tool)?.rule;
  const actionOf = ({ input }: RuledCall) => toolAction({ name: tool, input });
  if (kind === 'Bash') {
    const test = calledCommandMatcher(specifiers, effect);
    return (call) => test(actionOf(call));
  }
  if (kind === 'WebFetch') {
    const test = domainMatcher(specifiers);
    return (call) => matchCalledUrls(actionOf(call), test);
  }
  if (kind !== undefined) {
    const test = pathMatcher(specifiers, place);
    return (call) => matchCalledPaths(actionOf(call), test);
  }
  const naming = tool === 'Agent' || tool === 'Task' ? 'subagent_type' : tool === 'Skill' ? 'skill' : undefined;
  const names = specifiers.map(createWildcard);
  return ({ input }) => {
    const named = naming && input[naming];
    if (typeof named !== 'string') return 'unclear';
    return names.some((test) => test(named)) ? 'all' : 'none';
  };
}
