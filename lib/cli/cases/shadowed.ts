import { isInFamily, kindOfSpecifier } from '../../permission-rules/action/tool-families.ts';
import { commandMatcher } from '../../permission-rules/match-command.ts';
import { type PermissionRule, parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import { createWildcard } from '../../permission-rules/wildcard.ts';
import type { CoveredRule } from './covered-rule.ts';

/**
 * Returns whether an earlier rule decides every call that a later one matches: it is the same text, names the whole tool, or has a shorter prefix. `false` if
 * that is unknown, as for most rules that are objects.
 */
export function isShadowed(later: CoveredRule, earlier: CoveredRule): boolean {
  if (earlier.hook !== later.hook) return false;
  if (earlier.rule === later.rule) return true;
  const [a, b] = [earlier, later].map(({ rule }) => (rule.startsWith('{') ? undefined : parsePermissionRule(rule)));
  if (!a || !b || !coversTool(a, b, earlier.list)) return false;
  const kind = kindOfSpecifier(b.tool);
  // In these lists, a rule about paths also matches shell commands that name them.
  if (kind === 'path' && later.list !== 'allow') return a.tool === '*' && a.specifier === undefined;
  if (a.specifier === undefined) return true;
  return kind === 'command' && b.specifier !== undefined && coversCommand(a.specifier, b.specifier, earlier.list);
}

function coversTool({ tool: a }: PermissionRule, { tool: b }: PermissionRule, list: CoveredRule['list']): boolean {
  if (a === b || isInFamily(a, b, list === 'allow' ? 'allow' : 'refuse')) return true;
  // A wildcard that matches the text of another one matches all that the other one does.
  return a.includes('*') && createWildcard(a)(b);
}

function coversCommand(earlier: string, later: string, list: CoveredRule['list']): boolean {
  const wildcards = textsOf(earlier).map(createWildcard);
  if (!textsOf(later).every((text) => wildcards.some((matches) => matches(text)))) return false;
  if (list !== 'allow') return true;
  // An allow rule must name options that run or write something. Then only the longer prefix allows the command.
  return commandMatcher([earlier], 'allow')(later.replace(/:?\*.*$/s, '').trimEnd()) === 'all';
}

/** After a space or a colon, the last star matches further words or none. */
function textsOf(specifier: string): readonly string[] {
  const text = specifier.trim().replace(/\s+/g, ' ');
  const [, begin] = /^(.*?)(?::| )\*$/s.exec(text) ?? [];
  return begin === undefined ? [text] : [begin, `${begin} *`];
}
