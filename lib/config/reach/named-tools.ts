import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import { familiesOf, kindOfSpecifier } from '../../permission-rules/tool-families.ts';
import { workspaceToolTable } from '../../permission-rules/tool-table.ts';
import type { HookEntry } from '../native-schema.ts';
import type { ConfigPath } from '../source/source.ts';

/** A tool that a configuration names, or a glob of tools. */
export interface NamedTool {
  readonly path: ConfigPath;
  readonly name: string;
  /** Whether rules of Claude Code's names may mean one of ours: `Read`, `Bash`. */
  readonly aliases: boolean;
  /** The pattern of a path that the rule is for. */
  readonly pattern?: string;
}

/** The options of built-in kinds that hold names of tools, wherever in the options they stand. */
export const TOOL_OPTIONS: readonly string[] = ['tools', 'except', 'repeatable', 'offer', 'hide'];

const LISTS = ['allow', 'ask', 'deny'] as const;

/** The tools that an entry of a built-in kind names in its match and its options, in order. */
export function namedTools({ type, match, options = {} }: HookEntry): readonly NamedTool[] {
  const matched = (match?.tools ?? []).map((name, at) => ({ path: ['match', 'tools', at], name, aliases: false }));
  const own = type === 'permission' ? rulesIn(options as JsonObject) : listsIn(options as JsonObject, []);
  return [...matched, ...own.map((one) => ({ ...one, path: ['options', ...one.path] }))];
}

/** The names by which rules know a tool: its own, that of Claude Code, and those of the families that it belongs to. */
export function aliasesOf(tool: string): readonly string[] {
  const as = workspaceToolTable[tool]?.as ?? tool;
  return [...new Set([tool, as, ...familiesOf(as)])];
}

function listsIn(value: JsonValue, path: ConfigPath): readonly NamedTool[] {
  if (Array.isArray(value)) return value.flatMap((one: JsonValue, at) => listsIn(one, [...path, at]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (!TOOL_OPTIONS.includes(key) || !Array.isArray(member)) return listsIn(member, [...path, key]);
    return member.flatMap((name: JsonValue, at) =>
      typeof name === 'string' ? [{ path: [...path, key, at], name, aliases: false }] : [],
    );
  });
}

function rulesIn(options: JsonObject): readonly NamedTool[] {
  return LISTS.flatMap((list) => {
    const rules = options[list];
    return Array.isArray(rules) ? rules.flatMap((rule: JsonValue, at) => ruleTools(rule, [list, at])) : [];
  });
}

function ruleTools(rule: JsonValue, path: ConfigPath): readonly NamedTool[] {
  if (typeof rule === 'string') {
    const { tool, specifier } = parsePermissionRule(rule);
    const isPath = specifier !== undefined && kindOfSpecifier(tool) === 'path';
    return [{ path, name: tool, aliases: true, ...(isPath && { pattern: specifier }) }];
  }
  const { tool = '*', path: patterns } = rule as JsonObject;
  const names = [tool].flat().map((name) => ({ path: [...path, 'tool'], name: String(name), aliases: true }));
  const paths = [patterns ?? []]
    .flat()
    .map((one) => ({ path: [...path, 'path'], name: '*', aliases: true, pattern: String(one) }));
  return [...names, ...paths];
}
