import { homedir } from 'node:os';
import { relative, resolve, sep } from 'node:path';
import { nearestName, nearestOrAll } from '../../errors/nearest-name.ts';
import { readPathPattern } from '../../permission-rules/path-pattern.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import type { CompiledHook } from '../compile-config.ts';
import type { ConfigNotice } from '../issues/config-issue.ts';
import { type GuardedHost, hostCommands, hostParts, partWords } from './host-parts.ts';
import { kindParts } from './kind-parts.ts';
import { aliasesOf, type NamedTool, namedTools } from './named-tools.ts';
import { narrowRules } from './narrow-rules.ts';

/**
 * Returns notices on hooks that have no effect in a host: kinds or options without effect, rules for unknown tools, unreachable paths, and criteria
 * that match nothing. Disabled hooks are skipped.
 */
export function idleGuards(hooks: readonly CompiledHook[], host: GuardedHost): readonly ConfigNotice[] {
  return hooks
    .filter(({ entry }) => entry.enabled !== false)
    .flatMap((hook) => [
      ...withoutPart(hook, host),
      ...outOfReach(hook, host),
      ...withoutMatch(hook, host),
      ...narrowRules(hook, host),
    ]);
}

/** Returns notices on kinds and options that require parts the host does not have. */
function withoutPart({ kind, entry, issue }: CompiledHook, { name }: GuardedHost): readonly ConfigNotice[] {
  const known = kind.origin === 'builtin' ? kindParts[kind.name] : undefined;
  if (!known) return [];
  const given = hostParts[name];
  const where = hostCommands[name];
  const words = (parts: readonly (keyof typeof partWords)[]) => parts.map((part) => partWords[part]).join(' or ');
  if (!known.any.some((part) => given.includes(part)))
    return [
      issue(
        ['type'],
        `has no effect in ${where}: ${kind.name} needs ${words(known.any)}, which this host does not pass to hooks.`,
      ),
    ];
  const options = known.options?.((entry.options ?? {}) as never) ?? [];
  return options
    .filter(({ part }) => !given.includes(part))
    .map(({ path, part }) =>
      issue(
        ['options', ...path],
        `has no effect in ${where}: it needs ${words([part])}, which this host does not pass to hooks.`,
      ),
    );
}

/** Returns notices on names of unknown tools and on unreachable paths. */
function outOfReach({ kind, entry, issue }: CompiledHook, host: GuardedHost): readonly ConfigNotice[] {
  const { tools, workspace } = host;
  const own = kind.origin === 'builtin' ? entry : { match: entry.match };
  return namedTools({ ...own, type: kind.name }).flatMap((named) => {
    const unknown =
      tools &&
      unknownTool(
        named,
        tools.map(({ name }) => name),
        host,
      );
    if (unknown !== undefined) return [issue(named.path, unknown)];
    const beyond = workspace !== undefined && named.pattern !== undefined && isBeyond(named.pattern, workspace);
    if (!beyond) return [];
    const what = `matches no call: the tools of ${hostCommands[host.name]} can access only the workspace ${JSON.stringify(workspace)}.`;
    return [issue(named.path, `${JSON.stringify(named.pattern)} ${what}`)];
  });
}

function unknownTool({ name, aliases }: NamedTool, tools: readonly string[], host: GuardedHost): string | undefined {
  const matches = createMatcher([name]);
  const known = tools.flatMap((tool) => (aliases ? aliasesOf(tool) : [tool]));
  if (known.some(matches)) return undefined;
  const near = nearestName(name, known, host.typosOnly ? MOST_TYPOS : Infinity);
  if (host.typosOnly && near === undefined) return undefined;
  const what = `matches no call: ${hostCommands[host.name]} has no tool named ${JSON.stringify(name)}.`;
  return `${what} ${near === undefined ? nearestOrAll(name, tools) : `Did you mean "${near}"?`}`;
}

/** For names that may also be right, because tools of other hosts have similar names. */
const MOST_TYPOS = 2;

/** Whether a pattern matches nothing below the workspace. */
function isBeyond(pattern: string, workspace: string): boolean {
  if (pattern === 'inside') return false;
  if (pattern === 'outside') return true;
  const { start, up, own } = readPathPattern(pattern);
  const folder = resolve({ '//': sep, '~/': homedir(), '/': workspace, '': workspace }[start], '../'.repeat(up));
  const head = own.slice(0, -1).includes('/') ? (own.split(/[*?[\\]/)[0] as string) : '';
  const base = resolve(folder, `.${sep}${head.slice(0, head.lastIndexOf('/') + 1)}`);
  const isWithin = (outer: string, path: string): boolean => !/^\.\.([\\/]|$)/.test(relative(outer, path));
  return !isWithin(base, workspace) && !isWithin(workspace, base);
}

/** Returns a notice on criteria that match no tool or no agent of the host. */
function withoutMatch({ entry: { match }, issue }: CompiledHook, host: GuardedHost): readonly ConfigNotice[] {
  if (!match || host.typosOnly) return [];
  const { tools, agents, name } = host;
  const found: ConfigNotice[] = [];
  const { permissions } = match;
  if (permissions && tools?.every(({ permission }) => permission !== undefined && !permissions.includes(permission))) {
    const what = `matches no call: no tool of ${hostCommands[name]} has this permission (${permissions.join(', ')}).`;
    found.push(issue(['match', 'permissions'], what));
  }
  if (match.agents && agents && !agents.some(createMatcher(match.agents))) {
    const what = `matches no run: the agent of ${hostCommands[name]} is ${agents.map((one) => JSON.stringify(one)).join(', ')}.`;
    found.push(issue(['match', 'agents'], what));
  }
  return found;
}
