import { HooklineError } from '../errors.ts';
import { cutText } from '../hooks/cut-text.ts';
import { builtIns, createCatalogue } from '../hooks/index.ts';
import { isHook } from '../pipeline/define-hook.ts';
import type { Hook } from '../pipeline/hook.ts';
import { findModule } from './find-module.ts';
import { loadModule } from './load-module.ts';

const HOW = 'Write: export default defineHook({ … }), or export an array of hooks.';

/** The hooks that modules export by default, in order; the name of a built-in hook stands for that one. A module that cannot be used is `INPUT_INVALID`, which names it. */
export async function loadHooks(modules: readonly string[]): Promise<readonly Hook[]> {
  const loaded: Hook[] = [];
  for (const name of modules) loaded.push(...(await hooksOf(name)));
  return loaded;
}

async function hooksOf(name: string): Promise<readonly Hook[]> {
  const wrong = (why: string, cause?: unknown) =>
    new HooklineError('INPUT_INVALID', `--hooks ${name}: ${why}`, { cause });
  const catalogue = createCatalogue(builtIns);
  // A file of that name can be given as ./name.
  if (catalogue.names.includes(name)) return [catalogue.create(name)];
  const file = findModule(name);
  if (file === undefined) {
    throw wrong(`there is no such module. Give the path of a file (from ${process.cwd()}) or the name of a package.`);
  }
  const exported = await loadModule(file).catch((thrown: unknown) => {
    const why = thrown instanceof Error ? cutText(thrown.message.replace(/\s+/g, ' '), 300) : String(thrown);
    throw wrong(`the module cannot be loaded: ${why}`, thrown);
  });
  if (exported === undefined) throw wrong(`it has no default export. ${HOW}`);
  const hooks: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  const odd = hooks.findIndex((hook) => !isHook(hook));
  if (odd < 0) return hooks as readonly Hook[];
  const which = Array.isArray(exported) ? `item ${odd} of its default export` : 'its default export';
  throw wrong(`${which} is ${describe(hooks[odd])}, not a hook. ${HOW}`);
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? 'a plain object' : `a ${typeof value}`;
}
