import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { familiesOf, kindOfSpecifier } from '../../permission-rules/action/tool-families.ts';
import { workspaceToolTable } from '../../permission-rules/action/tool-table.ts';
import { parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import type { HookEntry } from '../native-schema.ts';
import type { ConfigPath } from '../source/source.ts';

/** A tool, or a glob of tools, named in a configuration. */
export interface NamedTool {
  readonly path: ConfigPath;
  readonly name: string;
  /** Whether a name of Claude Code, such as `Read` or `Bash`, may refer to a tool of Hookline. */
  readonly aliases: boolean;
  /** The path pattern of the rule. */
  readonly pattern?: string;
}

/** The options of built-in kinds that contain tool names, at any depth. */
export const TOOL_OPTIONS: readonly string[] = ['tools', 'except', 'repeatable', 'offer', 'hide'];

const LISTS = ['allow', 'ask', 'deny'] as const;

/** Returns the tools named in the criteria and options of a built-in kind, in order. */
export function namedTools({ type, match, options = {} }: HookEntry): readonly NamedTool[] {
  const matched = (match?.tools ?? []).map((name, at) => ({ path: ['match', 'tools', at], name, aliases: false }));
  const own = type === 'permission' ? rulesIn(options as JsonObject) : listsIn(options as JsonObject, []);
  return [...matched, ...own.map((one) => ({ ...one, path: ['options', ...one.path] }))];
}

/** Returns the names that match a tool in rules: its own, that of Claude Code, and those of its families. */
export function aliasesOf(tool: string): readonly string[] {
  const as = workspaceToolTable[tool]?.as ?? tool;
  return [...new Set([tool, as, ...familiesOf(as)])];
}

function listsIn(value: JsonValue, path: ConfigPath): readonly NamedTool[] {
  if (Array.isArray(value)) return value.flatMap((one: JsonValue, at) => listsIn(one, [...path, at]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => {
    if (!TOOL_OPTIONS.includes(key) || !Array.isArray(field)) return listsIn(field, [...path, key]);
    return field.flatMap((name: JsonValue, at) =>
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
