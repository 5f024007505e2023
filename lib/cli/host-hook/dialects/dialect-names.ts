/** The hosts that run command hooks, for `--as`. */
export const dialectNames = ['claude', 'codex', 'cursor', 'gemini', 'copilot', 'opencode', 'windsurf', 'kiro'] as const;
export type DialectName = (typeof dialectNames)[number];

/** Returns whether `--as` names a host with command hooks. */
export function isDialect(name: string | undefined): name is DialectName {
  return (dialectNames as readonly (string | undefined)[]).includes(name);
}
