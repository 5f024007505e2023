/** Hooks of one configuration that comes over HTTP, at most: each may take megabytes, and somebody may save many configurations. */
export const MOST_HOOKS = 50;

/** Whether a configuration, in whichever form, tells of so few hooks. What is no configuration is not judged. */
export function tellsOfFewHooks(config: { readonly [name: string]: unknown }): boolean {
  const members = [...Object.values(config['hooks'] ?? {}), ...Object.values(config)];
  const named = Object.keys(config['hooks'] ?? {}).length;
  const listed = members.reduce<number>((sum, member) => sum + handlersOf(member), 0);
  return Math.max(named, listed) <= MOST_HOOKS;
}

/** In the form of JARVIS a phase has a list. */
function handlersOf(member: unknown): number {
  const { handlers } = Object(member) as { handlers?: unknown };
  return Array.isArray(handlers) ? handlers.length : 0;
}
