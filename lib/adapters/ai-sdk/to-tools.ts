import type { ToolDescription } from '../../events/parts/tool-description.ts';

/** Tool descriptions as the AI SDK's function tools, which are the same in all versions. */
export function toTools(tools: readonly ToolDescription[]): object[] {
  return tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema }));
}
