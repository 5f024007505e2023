import { HooklineError } from '../../errors.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import type { Hook } from '../define/hook.ts';
import { describeTool, type Tool } from '../define/tool.ts';

/** A caller's tools and those of hooks, together. One tool may come from both; two of one name are `HOOK_DUPLICATE`. */
export function offerTools(given: readonly Tool[], hooks: readonly Hook[]): readonly Tool[] {
  const offered = new Map<string, Tool>();
  for (const tool of given) {
    if (offered.has(tool.name)) throw duplicateTool('run.act()', tool.name);
    offered.set(tool.name, tool);
  }
  for (const hook of hooks) {
    for (const tool of hook.tools ?? []) {
      const known = offered.get(tool.name);
      if (known && known !== tool) throw duplicateTool('run.act()', tool.name, hook);
      offered.set(tool.name, tool);
    }
  }
  return [...offered.values()];
}

/** Checks what a model is to be told of: two of one name, or one that bears the name of a hook's tool and is another, are `HOOK_DUPLICATE`. */
export function checkDescriptions(given: readonly ToolDescription[], hooks: readonly Hook[]): void {
  const named = new Map<string, ToolDescription>();
  for (const tool of given) {
    if (named.has(tool.name)) throw duplicateTool('run.reason()', tool.name);
    named.set(tool.name, tool);
  }
  for (const hook of hooks) {
    for (const tool of hook.tools ?? []) {
      const known = named.get(tool.name);
      if (known && !same(known, describeTool(tool))) throw duplicateTool('run.reason()', tool.name, hook);
    }
  }
}

function same(a: ToolDescription, b: ToolDescription): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** The error of two tools that bear one name; `hook` brought the second, if one did. */
export function duplicateTool(where: string, name: string, hook?: Hook): HooklineError {
  const whose = hook ? `, one of them brought by hook "${hook.name}"` : '';
  return new HooklineError('HOOK_DUPLICATE', `Two tools are named "${name}"${whose} (${where}). Rename one of them.`);
}

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
