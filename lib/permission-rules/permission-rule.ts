import { HooklineError } from '../errors.ts';
import { kindOfSpecifier } from './action/tool-families.ts';
import { hostPattern } from './match-domain.ts';
import { checkPathPattern } from './path-pattern.ts';

/** A rule about calls: `Tool`, or `Tool(specifier)` for some calls of a tool. */
export interface PermissionRule {
  readonly text: string;
  /** The name of the tool; `*` matches any characters. */
  readonly tool: string;
  readonly specifier?: string;
}

/** Parses a rule: `Bash`, `Bash(npm run:*)`, `Read(./src/**)`, `WebFetch(domain:example.com)`, `mcp__server__*`. Throws `INPUT_INVALID` for any other text. */
export function parsePermissionRule(text: string): PermissionRule {
  const trimmed = text.trim();
  const open = trimmed.indexOf('(');
  const tool = open < 0 ? trimmed : trimmed.slice(0, open).trimEnd();
  if (!/^[\w.:/*-]+$/.test(tool)) throw invalid(text, 'it does not start with a tool name');
  if (open < 0) return { text, tool };
  if (!trimmed.endsWith(')')) throw invalid(text, 'the closing ")" is missing');
  const specifier = trimmed.slice(open + 1, -1).trim();
  if (specifier === '') throw invalid(text, 'the parentheses are empty; remove them to match all calls');
  const issue = checkSpecifier(tool, specifier);
  if (issue) throw invalid(text, issue);
  return { text, tool, ...(specifier !== '*' && { specifier }) };
}

/** Returns why a specifier never matches; a deny rule with it would protect nothing. */
function checkSpecifier(tool: string, specifier: string): string | undefined {
  const kind = kindOfSpecifier(tool);
  if (kind === 'path') return checkPathPattern(specifier);
  const host = kind === 'host' ? /^domain:(.*)$/s.exec(specifier)?.[1] : undefined;
  return host === undefined || hostPattern(host) !== undefined
    ? undefined
    : `${JSON.stringify(host)} is not a host name`;
}

function invalid(text: string, why: string): HooklineError {
  const help =
    'Write Tool or Tool(specifier), such as Bash(npm run:*), Read(./src/**) or WebFetch(domain:example.com).';
  return new HooklineError('INPUT_INVALID', `The permission rule ${JSON.stringify(text)} is invalid: ${why}. ${help}`);
}
