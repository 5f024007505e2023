import type { Dialect } from './dialect.ts';
import type { DialectName } from './dialect-names.ts';

const load: Readonly<Record<DialectName, () => Dialect>> = {
  claude: () => (require('./claude/claude') as typeof import('./claude/claude.ts')).claude,
  codex: () => (require('./codex/codex') as typeof import('./codex/codex.ts')).codex,
};

/** Returns the dialect of a host. Only its modules are loaded. */
export function dialectOf(host: DialectName): Dialect {
  return load[host]();
}
