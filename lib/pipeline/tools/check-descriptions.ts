import type { ToolDescription } from '../../events/parts/tool-description.ts';
import type { Hook } from '../define/hook.ts';
import { duplicateTool } from './duplicate-tool.ts';
import { describeTool } from './tool.ts';

const WHERE = 'run.reason()';

/** Checks what a model is to be told of: two of one name, or one that bears the name of a hook's tool and is another, are `HOOK_DUPLICATE`. */
export function checkDescriptions(given: readonly ToolDescription[], hooks: readonly Hook[]): void {
  const named = new Map<string, ToolDescription>();
  for (const tool of given) {
    if (named.has(tool.name)) throw duplicateTool(WHERE, tool.name);
    named.set(tool.name, tool);
  }
  for (const hook of hooks) {
    for (const tool of hook.tools ?? []) {
      const known = named.get(tool.name);
      if (known && !same(known, describeTool(tool))) throw duplicateTool(WHERE, tool.name, hook);
    }
  }
}

function same(a: ToolDescription, b: ToolDescription): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
