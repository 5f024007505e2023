import { HooklineError } from '../../errors.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import type { Hook } from '../define/hook.ts';
import { describeTool, type Tool } from '../define/tool.ts';

/** Merges the caller's tools with those of hooks. The same tool object may come from both. Two tools with one name throw `HOOK_DUPLICATE`. */
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

/** Checks tool descriptions. Two with one name, or one with the name of a different tool of a hook, throw `HOOK_DUPLICATE`. */
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

/** Returns the error for two tools with one name. `hook` is the hook that provides the second tool, if any. */
export function duplicateTool(where: string, name: string, hook?: Hook): HooklineError {
  const whose = hook ? `, one of them brought by hook "${hook.name}"` : '';
  return new HooklineError('HOOK_DUPLICATE', `Two tools are named "${name}"${whose} (${where}). Rename one of them.`);
}

/**
 * Finds tools by name for one call. Each tool is read once, on first use, so a hook that modifies the object later cannot replace the judged tool.
 */
export function toolResolver(tools: readonly Tool[]): (name: string) => Tool | undefined {
  const read = new Map<string, Tool>();
  return (name) => {
    const known = read.get(name);
    if (known) return known;
    const tool = tools.find((one) => one.name === name);
    if (!tool) return undefined;
    const { description, inputSchema, permission, parallel, idempotent, execute } = tool;
    const own = {
      name,
      description,
      inputSchema,
      execute: execute.bind(tool),
      ...(permission && { permission }),
      ...(parallel !== undefined && { parallel }),
      ...(idempotent && { idempotent }),
    };
    read.set(name, own);
    return own;
  };
}
