import type { JsonObject } from '../../../events/values/json-value.ts';

const EXTENSION = 'io.modelcontextprotocol/tasks';

/** Capabilities without tasks, whose results would come past the hooks. The same object where it has none. */
export function stripTasks(holder: JsonObject | undefined): JsonObject | undefined {
  const capabilities = holder?.['capabilities'] as JsonObject | undefined;
  if (!capabilities) return holder;
  const { tasks, extensions, ...rest } = capabilities as { tasks?: unknown; extensions?: JsonObject } & JsonObject;
  const extended = extensions !== undefined && EXTENSION in extensions;
  if (tasks === undefined && !extended) return holder;
  const { [EXTENSION]: _, ...others } = extensions ?? {};
  return { ...holder, capabilities: { ...rest, ...(extensions && { extensions: others }) } } as JsonObject;
}
