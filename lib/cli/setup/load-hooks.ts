import { hooksOfModule } from '../../config/modules/hooks-of-module.ts';
import { HooklineError } from '../../errors.ts';
import { builtIns, createCatalogue } from '../../hooks/index.ts';
import type { Hook } from '../../pipeline/define/hook.ts';

/** The hooks that modules export by default, in order; the name of a built-in hook stands for that one. A module that cannot be used is `INPUT_INVALID`, which names it. */
export async function loadHooks(modules: readonly string[]): Promise<readonly Hook[]> {
  const loaded: Hook[] = [];
  for (const name of modules) loaded.push(...(await hooksOf(name)));
  return loaded;
}

async function hooksOf(name: string): Promise<readonly Hook[]> {
  const catalogue = createCatalogue(builtIns);
  // A file of that name can be given as ./name.
  if (catalogue.names.includes(name)) return [catalogue.create(name)];
  try {
    return await hooksOfModule(name, { folder: process.cwd(), fresh: true });
  } catch (thrown) {
    const { message, cause } = thrown as HooklineError;
    throw new HooklineError('INPUT_INVALID', `--hooks ${name}: ${message}`, { cause });
  }
}
