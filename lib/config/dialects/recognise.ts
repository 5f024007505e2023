import { isClaudeEvent } from '../../process-hooks/claude/settings/event-names.ts';
import { toolPhases } from '../native-schema.ts';
import type { DialectName } from './dialect.ts';

const PICOCLAW = ['enabled', 'defaults', 'builtins', 'processes'];
/** The fields of complete settings files of the other formats that do not occur in native ones, for files without hooks. */
const ABOUT_PICOCLAW = ['agents', 'channels', 'providers', 'model_list', 'gateway'];
const ABOUT_CLAUDE = ['permissions', 'statusLine', 'enabledPlugins', 'apiKeyHelper', 'disableAllHooks', 'outputStyle'];

/** Detects the format of an object from the content of its `hooks`. */
export function recognise(value: object): DialectName {
  const { hooks = {} } = value as { hooks?: unknown };
  if (typeof hooks !== 'object' || hooks === null) return 'hookline';
  if (!('hooks' in value) && has(value, isPhase)) return 'jarvis';
  // A native hook may have any name, but it always has a type or only its own fields.
  if (has(hooks, isPhase)) return 'jarvis';
  if (has(hooks, (key, field) => PICOCLAW.includes(key) && !isEntry(field))) return 'picoclaw';
  if (has(hooks, (key, field) => Array.isArray(field) || (isClaudeEvent(key) && !isEntry(field)))) return 'claude';
  if (has(value, (key) => ABOUT_CLAUDE.includes(key))) return 'claude';
  return Object.keys(hooks).length === 0 && has(value, (key) => ABOUT_PICOCLAW.includes(key)) ? 'picoclaw' : 'hookline';
}

function has(holder: object, test: (key: string, field: unknown) => boolean): boolean {
  return Object.entries(holder).some(([key, field]) => test(key, field));
}

function isPhase(key: string, field: unknown): boolean {
  return (toolPhases as readonly string[]).includes(key) && !isEntry(field);
}

function isEntry(field: unknown): boolean {
  return typeof field === 'object' && field !== null && 'type' in field;
}
