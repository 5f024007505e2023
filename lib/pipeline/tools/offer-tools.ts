import type { Hook } from '../define/hook.ts';
import { duplicateTool } from './duplicate-tool.ts';
import type { Tool } from './tool.ts';

const WHERE = 'run.act()';

/** A caller's tools and those of hooks, together. One tool may come from both; two of one name are `HOOK_DUPLICATE`. */
export function offerTools(given: readonly Tool[], hooks: readonly Hook[]): readonly Tool[] {
  const offered = new Map<string, Tool>();
  for (const tool of given) {
    if (offered.has(tool.name)) throw duplicateTool(WHERE, tool.name);
    offered.set(tool.name, tool);
  }
  for (const hook of hooks) {
    for (const tool of hook.tools ?? []) {
      const known = offered.get(tool.name);
      if (known && known !== tool) throw duplicateTool(WHERE, tool.name, hook);
      offered.set(tool.name, tool);
    }
  }
  return [...offered.values()];
}
