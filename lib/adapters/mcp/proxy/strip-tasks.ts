import type { JsonObject } from '../../../events/values/json-value.ts';

const EXTENSION = 'io.modelcontextprotocol/tasks';

/** Removes the tasks capability, because results of tasks would bypass the hooks. Returns the same object if it has none. */
export function stripTasks(holder: JsonObject | undefined): JsonObject | undefined {
  const capabilities = holder?.['capabilities'] as JsonObject | undefined;
  if (!capabilities) return holder;
  const { tasks, extensions, ...rest } = capabilities as { tasks?: unknown; extensions?: JsonObject } & JsonObject;
  const extended = extensions !== undefined && EXTENSION in extensions;
  if (tasks === undefined && !extended) return holder;
  const { [EXTENSION]: _, ...others } = extensions ?? {};
  return { ...holder, capabilities: { ...rest, ...(extensions && { extensions: others }) } } as JsonObject;
}
