import { findModule } from '../../config/modules/find-module.ts';
import { HooklineError } from '../../errors.ts';
import { builtIns, createCatalogue } from '../../hooks/index.ts';

/** Returns a name for `--hooks` that works in any folder: the file of a module, or the name of a built-in hook. */
export function wholeModuleName(name: string): string {
  if (createCatalogue(builtIns).names.includes(name)) return name;
  const file = findModule(name, process.cwd());
  if (file !== undefined) return file;
  throw new HooklineError('INPUT_INVALID', `--hooks ${name}: there is no such module. Pass the path of a file.`);
}
