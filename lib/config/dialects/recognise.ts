import { isClaudeEvent } from '../../process-hooks/claude/settings/event-names.ts';
import { toolPhases } from '../native-schema.ts';
import type { DialectName } from './dialect.ts';

const PICOCLAW = ['enabled', 'defaults', 'builtins', 'processes'];
/** What whole settings files of the others hold, and ours never, where there are no hooks in them. */
const ABOUT_PICOCLAW = ['agents', 'channels', 'providers', 'model_list', 'gateway'];
const ABOUT_CLAUDE = ['permissions', 'statusLine', 'enabledPlugins', 'apiKeyHelper', 'disableAllHooks', 'outputStyle'];

/** Whose format an object has, told by what stands in its `hooks`. */
export function recognise(value: object): DialectName {
  const { hooks = {} } = value as { hooks?: unknown };
  if (typeof hooks !== 'object' || hooks === null) return 'hookline';
  if (!('hooks' in value) && has(value, isPhase)) return 'jarvis';
  // A native hook may have any name; what it always has is a type, or nothing but its own members.
  if (has(hooks, isPhase)) return 'jarvis';
  if (has(hooks, (key, member) => PICOCLAW.includes(key) && !isEntry(member))) return 'picoclaw';
  if (has(hooks, (key, member) => Array.isArray(member) || (isClaudeEvent(key) && !isEntry(member)))) return 'claude';
  if (has(value, (key) => ABOUT_CLAUDE.includes(key))) return 'claude';
  return Object.keys(hooks).length === 0 && has(value, (key) => ABOUT_PICOCLAW.includes(key)) ? 'picoclaw' : 'hookline';
}

function has(holder: object, test: (key: string, member: unknown) => boolean): boolean {
  return Object.entries(holder).some(([key, member]) => test(key, member));
}

function isPhase(key: string, member: unknown): boolean {
  return (toolPhases as readonly string[]).includes(key) && !isEntry(member);
}

function isEntry(member: unknown): boolean {
  return typeof member === 'object' && member !== null && 'type' in member;
}
