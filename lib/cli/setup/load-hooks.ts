import { exportsOfModule } from '../../config/modules/exports-of-module.ts';
import { HooklineError } from '../../errors.ts';
import { builtIns, createCatalogue } from '../../hooks/index.ts';
import type { Hook } from '../../pipeline/define/hook.ts';

/**
 * Loads the default exports of hook modules, in order. The name of a built-in hook selects that hook. An invalid module throws `INPUT_INVALID` with
 * its name.
 */
export async function loadHooks(modules: readonly string[]): Promise<readonly Hook[]> {
  const loaded: Hook[] = [];
  for (const name of modules) loaded.push(...(await hooksOf(name)));
  return loaded;
}

async function hooksOf(name: string): Promise<readonly Hook[]> {
  const catalogue = createCatalogue(builtIns);
  // A file with the same name can be given as ./name.
  if (catalogue.names.includes(name)) return [catalogue.create(name)];
  try {
    const { hooks, kinds } = await exportsOfModule(name, { folder: process.cwd(), fresh: true });
    const [kind] = kinds;
    if (kind === undefined) return hooks;
    const how = `Add it to a configuration as a hook of type module, and use type: ${kind.name} in another hook.`;
    throw new HooklineError('INPUT_INVALID', `it exports kinds of hooks. ${how}`);
  } catch (thrown) {
    const { message, cause } = thrown as HooklineError;
    throw new HooklineError('INPUT_INVALID', `--hooks ${name}: ${message}`, { cause });
  }
}
