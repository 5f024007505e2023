import type { JsonObject } from '../events/values/json-value.ts';
import { matchCalledPaths } from './match-called-paths.ts';
import { commandMatcher } from './match-command.ts';
import { domainMatcher } from './match-domain.ts';
import { pathMatcher, type RulePlace } from './match-path.ts';
import type { PermissionRule } from './permission-rule.ts';
import type { RuleMatch } from './rule-match.ts';
import { familiesOf, isInFamily, type RuleEffect } from './tool-families.ts';
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
  const field = (input: JsonObject, name: string) => (typeof input[name] === 'string' ? input[name] : undefined);
  if (tool === 'Bash') {
    const test = commandMatcher(specifiers, effect);
    return ({ input }) => {
      const command = field(input, 'command');
      return command === undefined ? 'unclear' : test(command);
    };
  }
  if (familiesOf(tool).length > 0) {
    const test = pathMatcher(specifiers, place);
    return (call) => matchCalledPaths(call, test) ?? 'unclear';
  }
  if (tool === 'WebFetch') {
    const test = domainMatcher(specifiers);
    return ({ input }) => test(field(input, 'url') ?? '');
  }
  const naming = tool === 'Agent' || tool === 'Task' ? 'subagent_type' : tool === 'Skill' ? 'skill' : undefined;
  const names = specifiers.map(createWildcard);
  return ({ input }) => {
    const named = naming && field(input, naming);
    if (named === undefined) return 'unclear';
    return names.some((test) => test(named)) ? 'all' : 'none';
  };
}
