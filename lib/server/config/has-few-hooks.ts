/** Maximum number of hooks in a configuration sent over HTTP. Each may take megabytes, and a user may save many configurations. */
export const MOST_HOOKS = 50;

/** Whether a configuration of any form has at most `MOST_HOOKS` hooks. It does not validate the configuration. */
export function hasFewHooks(config: { readonly [name: string]: unknown }): boolean {
  const fields = [...Object.values(config['hooks'] ?? {}), ...Object.values(config)];
  const named = Object.keys(config['hooks'] ?? {}).length;
  const listed = fields.reduce<number>((sum, field) => sum + handlersOf(field), 0);
  return Math.max(named, listed) <= MOST_HOOKS;
}

/** Number of handlers of a phase, in a configuration that lists handlers by phase. */
function handlersOf(field: unknown): number {
  const { handlers } = Object(field) as { handlers?: unknown };
  return Array.isArray(handlers) ? handlers.length : 0;
}
