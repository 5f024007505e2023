import type { JsonObject } from '../events/values/json-value.ts';
import { matchCommand } from './match-command.ts';
import { matchDomain } from './match-domain.ts';
import { matchPath, type RulePlace } from './match-path.ts';
import type { PermissionRule } from './permission-rule.ts';
import type { RuleMatch } from './rule-match.ts';
import { createWildcard } from './wildcard.ts';

/** A call that rules are asked about, under the names that they use: `Bash`, `Read`, `file_path`. */
export interface RuledCall {
  readonly tool: string;
  readonly input: JsonObject;
  /** The tool's own name, where rules may use that too: `run_command`. */
  readonly own?: string;
}

/** Rules of these tools speak of all tools that do the same. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  Read: ['Read', 'NotebookRead', 'Grep', 'Glob', 'LS'],
  Edit: ['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'delete_file'],
};
const PATHS = ['file_path', 'notebook_path', 'path'];
/** These look at all that is below a folder. */
const DEEP = new Set(['Grep', 'Glob', 'LS']);

/** How rules fit a call together: for `all`, each command of a line has to be covered by one of them. */
export function matchRules(rules: readonly PermissionRule[], call: RuledCall, place: RulePlace): RuleMatch {
  const own = rules.filter((rule) => namesTool(rule.tool, call.tool) || isOwnName(rule.tool, call.own));
  if (own.length === 0) return 'none';
  const specifiers = own.flatMap(({ specifier }) => specifier ?? []);
  return specifiers.length < own.length ? 'all' : matchSpecifiers(specifiers, call, place);
}

function namesTool(rule: string, tool: string): boolean {
  if (rule === tool || FAMILIES[rule]?.includes(tool)) return true;
  // A server stands for all of its tools.
  if (/^mcp__[^*]+$/.test(rule) && !rule.slice('mcp__'.length).includes('__')) return tool.startsWith(`${rule}__`);
  return rule.includes('*') && createWildcard(rule)(tool);
}

function isOwnName(rule: string, own: string | undefined): boolean {
  return own !== undefined && (rule === own || (rule.includes('*') && createWildcard(rule)(own)));
}

function matchSpecifiers(specifiers: readonly string[], { tool, input }: RuledCall, place: RulePlace): RuleMatch {
  const member = (name: string) => (typeof input[name] === 'string' ? input[name] : undefined);
  if (tool === 'Bash') {
    const command = member('command');
    return command === undefined ? 'unclear' : matchCommand(specifiers, command);
  }
  if (Object.values(FAMILIES).some((family) => family.includes(tool))) {
    const deep = DEEP.has(tool);
    const path = PATHS.map(member).find((one) => one !== undefined) ?? (deep ? '.' : undefined);
    return path === undefined ? 'unclear' : matchPath(specifiers, path, place, deep);
  }
  if (tool === 'WebFetch') return matchDomain(specifiers, member('url') ?? '');
  const named =
    tool === 'Agent' || tool === 'Task' ? member('subagent_type') : tool === 'Skill' ? member('skill') : undefined;
  if (named === undefined) return 'unclear';
  return specifiers.some((one) => createWildcard(one)(named)) ? 'all' : 'none';
}
