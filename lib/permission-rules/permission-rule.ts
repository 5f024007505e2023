import { HooklineError } from '../errors.ts';
import { hostPattern } from './match-domain.ts';
import { faultOfPathPattern } from './path-pattern.ts';
import { kindOfSpecifier } from './tool-families.ts';

/** A rule about calls: `Tool`, or `Tool(specifier)` for some calls of a tool. */
export interface PermissionRule {
  /** As it was written. */
  readonly text: string;
  /** The name of the tool; `*` stands for any characters. */
  readonly tool: string;
  readonly specifier?: string;
}

/**
 * Reads a rule: `Bash`, `Bash(npm run:*)`, `Read(./src/**)`, `WebFetch(domain:example.com)`, `mcp__server__*`. One that is none throws
 * `INPUT_INVALID`.
 */
export function parsePermissionRule(text: string): PermissionRule {
  const trimmed = text.trim();
  const open = trimmed.indexOf('(');
  const tool = open < 0 ? trimmed : trimmed.slice(0, open).trimEnd();
  if (!/^[\w.:/*-]+$/.test(tool)) throw invalid(text, 'it begins with no name of a tool');
  if (open < 0) return { text, tool };
  if (!trimmed.endsWith(')')) throw invalid(text, 'what begins with "(" has to end with ")"');
  const specifier = trimmed.slice(open + 1, -1).trim();
  if (specifier === '') throw invalid(text, 'there is nothing between "(" and ")"; leave them out for all calls');
  const fault = faultOf(tool, specifier);
  if (fault) throw invalid(text, fault);
  return { text, tool, ...(specifier !== '*' && { specifier }) };
}

/** Why a specifier never fits; a rule that denies would protect nobody. */
function faultOf(tool: string, specifier: string): string | undefined {
  const kind = kindOfSpecifier(tool);
  if (kind === 'path') return faultOfPathPattern(specifier);
  const host = kind === 'host' ? /^domain:(.*)$/s.exec(specifier)?.[1] : undefined;
  return host === undefined || hostPattern(host) !== undefined
    ? undefined
    : `${JSON.stringify(host)} is no name of a host`;
}

function invalid(text: string, why: string): HooklineError {
  const help = 'Write Tool or Tool(specifier), as Bash(npm run:*), Read(./src/**) or WebFetch(domain:example.com).';
  return new HooklineError(
    'INPUT_INVALID',
    `The permission rule ${JSON.stringify(text)} cannot be read: ${why}. ${help}`,
  );
}
