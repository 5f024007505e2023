import type { Hook } from '../pipeline/define/hook.ts';
import { STATE_OWNER } from '../pipeline/define/state.ts';

/** The key of the original of a renamed hook. The symbol is shared by all copies of this package, as hooks are. */
const RENAMED = Symbol.for('hookline.renamed');

/**
 * Returns the hooks that a sub-agent adds to those of its parent. Hooks that the parent already has (the same object) are left out. If a name is in
 * use, the hook gets its agent's name as a prefix, such as `worker/permission`. Both hooks then run, with separate state. If both have a tool with
 * the same name, the parent's is used.
 */
export function childHooks(parents: readonly Hook[], own: readonly Hook[], agent: string): readonly Hook[] {
  const there = new Set(parents.map(originalOf));
  const byName = new Map(parents.map((hook) => [hook.name, hook]));
  const taken = new Set([...parents, ...own].map(({ name }) => name));
  return own
    .filter((hook) => !there.has(originalOf(hook)))
    .map((hook) => {
      const twin = byName.get(hook.name);
      return twin ? renamed(hook, freeName(`${agent}/${hook.name}`, taken), twin) : hook;
    });
}

function originalOf(hook: Hook): Hook {
  return (hook as { [RENAMED]?: Hook })[RENAMED] ?? hook;
}

function renamed(hook: Hook, name: string, twin: Hook): Hook {
  const theirs = new Set(twin.tools?.map((tool) => tool.name));
  const tools = hook.tools?.filter((tool) => !theirs.has(tool.name));
  const made = { ...hook, name, ...(tools && { tools }), [RENAMED]: originalOf(hook), [STATE_OWNER]: `${name}: ` };
  return Object.freeze(made);
}

/** Nested agents may have the same name. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}-${count}`;
  return name;
}
