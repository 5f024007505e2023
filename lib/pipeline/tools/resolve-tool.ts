import type { Tool } from './tool.ts';

/**
 * Finds tools by name for one call. A tool is read once, when its name is first asked for: a hook that writes into the object later
 * puts nothing else in the place of what is judged.
 */
export function toolResolver(tools: readonly Tool[]): (name: string) => Tool | undefined {
  const read = new Map<string, Tool>();
  return (name) => {
    const known = read.get(name);
    if (known) return known;
    const tool = tools.find((one) => one.name === name);
    if (!tool) return undefined;
    const { description, inputSchema, permission, parallel, execute } = tool;
    const own = {
      name,
      description,
      inputSchema,
      execute: execute.bind(tool),
      ...(permission && { permission }),
      ...(parallel !== undefined && { parallel }),
    };
    read.set(name, own);
    return own;
  };
}
