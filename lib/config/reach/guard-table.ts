import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { knownTools, type ToolFamily, toolFamilyNames } from '../../permission-rules/action/known-tools.ts';
import { parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import { createWildcard } from '../../permission-rules/wildcard.ts';
import type { CompiledHook } from '../compile-config.ts';
import { formatPath } from '../issues/config-issue.ts';
import type { HookEntry } from '../native-schema.ts';
import type { ConfigPath } from '../source/source.ts';
import { type CodingHost, type HostLimits, hostLimits } from './host-limits.ts';
import { type HostPart, hostParts, partWords } from './host-parts.ts';
import { kindParts } from './kind-parts.ts';

/** How far a hook or a rule has its effect in a host. */
export interface GuardRow {
  readonly hook: string;
  /** The rule, or the option of the hook. Absent: the whole hook. */
  readonly rule?: string;
  readonly holds: 'holds' | 'in part' | 'never';
  readonly why?: string;
  /** Whether it denies or redacts something. If such a row never holds, nothing is guarded. */
  readonly refuses: boolean;
}

/** The kinds that deny calls, prompts or answers, or redact texts. */
const REFUSING = [
  ...['permission', 'dangerous-confirmation', 'security-scan', 'word-filter', 'judge'],
  ...['budget', 'rate-limit', 'loop-guard', 'tool-selection', 'tool-params'],
];
/** The kinds that are written by others. */
const CODE = ['process', 'command', 'module'];

/** Returns how far each enabled hook, and each rule of `permission`, holds in a coding agent. */
export function guardTable(hooks: readonly CompiledHook[], host: CodingHost): readonly GuardRow[] {
  return hooks.filter(({ entry }) => entry.enabled !== false).flatMap((hook) => rowsOf(hook, host));
}

function rowsOf({ name: hook, kind, entry }: CompiledHook, host: CodingHost): readonly GuardRow[] {
  const limits = hostLimits[host];
  const isRefusing = REFUSING.includes(kind.name);
  const parts = kind.origin === 'builtin' ? kindParts[kind.name] : undefined;
  if (!parts || CODE.includes(kind.name))
    return [{ hook, holds: 'in part', why: 'its code decides which events it needs', refuses: false }];
  const given = hostParts[host];
  const missing = (some: readonly HostPart[]) =>
    `${limits.title} does not pass ${some.map((part) => partWords[part]).join(' or ')} to hooks`;
  if (!parts.any.some((part) => given.includes(part)))
    return [{ hook, holds: 'never', why: missing(parts.any), refuses: isRefusing }];
  const options = withDefaults(kind, entry);
  if (kind.name === 'permission') return permissionRows(hook, options, limits);
  const rows = (parts.options?.(options as never) ?? []).flatMap(({ path, part }): readonly GuardRow[] => {
    const rule = formatPath(path);
    // A default that has no effect is listed, but nobody relies on it by name.
    const refuses = isRefusing && isWritten(entry.options, path);
    if (!given.includes(part)) return [{ hook, rule, holds: 'never', why: missing([part]), refuses }];
    const why = partly(part, limits);
    return why === undefined ? [] : [{ hook, rule, holds: why[0], why: why[1], refuses }];
  });
  const changing = CHANGING.includes(kind.name) && limits.change !== 'runs';
  const own = changing ? [{ hook, holds: 'in part' as const, why: DENIED, refuses: isRefusing }] : [];
  const results = kind.name === 'tool-result-limit' ? partly('results', limits) : undefined;
  const result = results ? [{ hook, holds: results[0], why: results[1], refuses: false }] : [];
  const found = [...own, ...result, ...rows];
  return found.length > 0 ? found : [{ hook, holds: 'holds', refuses: isRefusing }];
}

function isWritten(options: HookEntry['options'], path: ConfigPath): boolean {
  const value = path.reduce<unknown>(
    (holder, key) => (holder as Record<PropertyKey, unknown> | undefined)?.[key],
    options,
  );
  return value !== undefined;
}

function withDefaults({ name, optionsSchema }: CompiledHook['kind'], { options = {} }: HookEntry): JsonObject {
  const parsed = (optionsSchema.safeParse(options).data ?? options) as JsonObject;
  if (name !== 'security-scan') return parsed;
  const written = Object.entries((options['policies'] ?? {}) as JsonObject).filter(([, policy]) => policy !== 'report');
  return { ...parsed, policies: { ...SCANNED, ...Object.fromEntries(written) } };
}

/** What `security-scan` redacts in the texts of a model and of tools, unless a policy says otherwise. Prompts and arguments are reported only. */
const SCANNED = { text: 'redact', toolResult: 'redact' };

const CHANGING = ['tool-params'];
const DENIED = 'a call that it changes is denied or shown to the user';

/** Returns why a part of a host is passed to hooks, but cannot be changed as in an agent of Hookline. */
function partly(
  part: HostPart,
  { title, results, answers, change }: HostLimits,
): readonly ['in part' | 'never', string] | undefined {
  if (part === 'prompts') return ['in part', `${title} cannot replace a prompt: one that the hook changes is blocked`];
  if (part === 'answers' && answers !== 'all') return ['never', `${title} cannot replace answers`];
  if (part === 'results' && results === 'none') return ['never', `${title} cannot replace results`];
  if (part === 'results' && results === 'mcp') return ['in part', `${title} can replace results of MCP tools only`];
  if (part === 'calls' && change !== 'runs') return ['in part', DENIED];
  return undefined;
}

function permissionRows(hook: string, options: JsonObject, limits: HostLimits): readonly GuardRow[] {
  const rows = (['deny', 'ask', 'allow'] as const).flatMap((list) => {
    const rules = options[list];
    return Array.isArray(rules)
      ? rules.map((rule: JsonValue) => ruleRow(hook, `${list} ${shown(rule)}`, rule, list, limits))
      : [];
  });
  const asks = options['default'] === undefined || options['default'] === 'ask';
  const why = `${limits.title} cannot ask: a call that needs approval is denied`;
  const own: GuardRow =
    asks && limits.approval === 'denies'
      ? { hook, holds: 'in part', why, refuses: true }
      : { hook, holds: 'holds', refuses: true };
  return [own, ...rows];
}

const shown = (rule: JsonValue): string => (typeof rule === 'string' ? rule : JSON.stringify(rule));

function ruleRow(
  hook: string,
  rule: string,
  value: JsonValue,
  list: 'allow' | 'ask' | 'deny',
  { title, families, approval, servers }: HostLimits,
): GuardRow {
  const refuses = list !== 'allow';
  const of = familiesOf(value);
  const seen = of.filter((family) => families.includes(family));
  const unseen = of.filter((family) => !families.includes(family));
  const row = { hook, rule, refuses };
  if (seen.length === 0) {
    // A deny rule for files also matches shell commands that name them.
    if (refuses && of.includes('read') && families.includes('shell'))
      return {
        ...row,
        holds: 'in part',
        why: `no tool of ${title} reads files: only shell commands that name the path match`,
      };
    return { ...row, holds: 'never', why: `hooks see no call of this kind in ${title} (${of.join(', ')})` };
  }
  if (servers && of.includes('mcp') && of.length === 1)
    return { ...row, holds: 'in part', why: `${title} does not send the names of MCP servers: they are guessed` };
  if (list === 'ask' && approval === 'denies')
    return { ...row, holds: 'in part', why: `${title} cannot ask: such a call is denied` };
  if (unseen.length > 0 && of.length < toolFamilyNames.length)
    return { ...row, holds: 'in part', why: `hooks see no call of this kind in ${title}: ${unseen.join(', ')}` };
  return { ...row, holds: 'holds' };
}

/** Returns the families of the tools that a rule matches. */
function familiesOf(rule: JsonValue): readonly ToolFamily[] {
  if (typeof rule !== 'string') {
    const { family, tool = '*' } = rule as {
      readonly family?: readonly ToolFamily[];
      readonly tool?: string | readonly string[];
    };
    return family ?? [...new Set([tool].flat().flatMap(familiesOfTool))];
  }
  return familiesOfTool(parsePermissionRule(rule).tool);
}

function familiesOfTool(tool: string): readonly ToolFamily[] {
  if (tool === '*') return toolFamilyNames;
  if (tool.startsWith('mcp__')) return ['mcp'];
  const matches = createWildcard(tool);
  const known = [...knownTools].filter(([name, { rule }]) => matches(name) || (rule !== undefined && matches(rule)));
  // Rules for files of one tool match the others of its family, and searches.
  return known.length === 0 ? ['other'] : [...new Set(known.map(([, { family }]) => family))];
}
