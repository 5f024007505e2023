import { findModule } from '../../config/modules/find-module.ts';
import { HooklineError } from '../../errors.ts';
import { builtIns, createCatalogue } from '../../hooks/index.ts';

/** What `--hooks` names, as it can be named in any folder: a module by its file, one of our own by its name. */
export function wholeModuleName(name: string): string {
  if (createCatalogue(builtIns).names.includes(name)) return name;
  const file = findModule(name, process.cwd());
  if (file !== undefined) return file;
  throw new HooklineError('INPUT_INVALID', `--hooks ${name}: there is no such module. Pass the path of a file.`);
}
