import type { Hook } from '../pipeline/define/hook.ts';
import { STATE_OWNER } from '../pipeline/define/state.ts';

/** The hook that another one was renamed from. A symbol of all copies of this package, as hooks are. */
const RENAMED = Symbol.for('hookline.renamed');

/**
 * The hooks that a sub-agent adds to those of its parent: its own, except those that its parent has already (the same object). One whose name is
 * taken is named after its agent, `worker/permission`: both are in force, each with state of its own. A tool that both bring is the parent's.
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

/** Two agents of one name may be nested in each other. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}-${count}`;
  return name;
}
