import type { Dialect } from './dialect.ts';
import type { DialectName } from './dialect-names.ts';

const load: Readonly<Record<DialectName, () => Dialect>> = {
  claude: () => (require('./claude/claude') as typeof import('./claude/claude.ts')).claude,
  codex: () => (require('./codex/codex') as typeof import('./codex/codex.ts')).codex,
  cursor: () => (require('./cursor/cursor') as typeof import('./cursor/cursor.ts')).cursor,
  gemini: () => (require('./gemini/gemini') as typeof import('./gemini/gemini.ts')).gemini,
  copilot: () => (require('./copilot/copilot') as typeof import('./copilot/copilot.ts')).copilot,
  opencode: () => (require('./opencode/opencode') as typeof import('./opencode/opencode.ts')).opencode,
  windsurf: () => (require('./windsurf/windsurf') as typeof import('./windsurf/windsurf.ts')).windsurf,
  kiro: () => (require('./kiro/kiro') as typeof import('./kiro/kiro.ts')).kiro,
};

/** Returns the dialect of a host. Only its modules are loaded. */
export function dialectOf(host: DialectName): Dialect {
  return load[host]();
}
