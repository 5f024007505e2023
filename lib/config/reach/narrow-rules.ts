import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { toolFamilies } from '../../permission-rules/action/tool-families.ts';
import { workspaceToolTable } from '../../permission-rules/action/tool-table.ts';
import { readPathPattern } from '../../permission-rules/path-pattern.ts';
import type { CompiledHook } from '../compile-config.ts';
import type { ConfigNotice } from '../issues/config-issue.ts';
import type { GuardedHost } from './host-parts.ts';
import { type NamedTool, namedTools } from './named-tools.ts';

/**
 * Returns notices on rules of a `permission` hook that may match less than intended: a rule that denies one of several tools with the same effect, and a path
 * relative to the workspace that looks absolute.
 */
export function narrowRules({ kind, entry, issue }: CompiledHook, host: GuardedHost): readonly ConfigNotice[] {
  if (kind.origin !== 'builtin' || kind.name !== 'permission') return [];
  const named = namedTools({ ...entry, type: kind.name });
  const names = new Set(named.map((rule) => theirs(rule.name)));
  return named.flatMap((rule) =>
    [narrowFamily(rule, names, host), narrowRoot(rule, host)].flatMap((why) =>
      why === undefined ? [] : [issue(rule.path, why)],
    ),
  );
}

/** Claude Code has several tools that read, and several that write. */
function narrowFamily({ path, name }: NamedTool, names: ReadonlySet<string>, host: GuardedHost): string | undefined {
  if (host.name !== 'claude' || !path.some((part) => part === 'deny' || part === 'ask')) return undefined;
  const tool = theirs(name);
  const [family, fields] =
    Object.entries(toolFamilies).find(([family, fields]) => family !== tool && fields.includes(tool)) ?? [];
  if (!family || !fields || names.has(family)) return undefined;
  const others = fields.filter((field) => field !== tool && /^[A-Z]/.test(field));
  return `matches only ${tool}, but ${others.join(', ')} of Claude Code do the same. Use ${family}(..) for all of them.`;
}

/** `/etc/**` is a path below the workspace, as in `.gitignore` and in the rules of Claude Code. */
function narrowRoot({ pattern = '' }: NamedTool, { workspace = process.cwd() }: GuardedHost): string | undefined {
  const { start, own } = readPathPattern(pattern);
  const [, first = ''] = start === '/' ? own.split('/') : [];
  if (first === '' || /[*?[\\]/.test(first)) return undefined;
  if (!existsSync(join(sep, first)) || existsSync(join(workspace, first))) return undefined;
  return `${JSON.stringify(pattern)} starts at the workspace, which has no ${first}. Use ${JSON.stringify(`/${pattern}`)} for /${first} of the machine.`;
}

function theirs(name: string): string {
  return workspaceToolTable[name]?.as ?? name;
}
