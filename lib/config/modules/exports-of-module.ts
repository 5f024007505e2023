import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { type CatalogueEntry, createCatalogue, isCatalogueEntry } from '../../hooks/catalogue.ts';
import { cutText } from '../../hooks/text/cut-text.ts';
import { isHook } from '../../pipeline/define/define-hook.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { findModule, packageBeside } from './find-module.ts';
import { loadModule } from './load-module.ts';
import { printAside } from './print-aside.ts';

const HOW = 'Write export default defineHook({ … }), or export an array of hooks.';
/** The maximum time for loading a module, and for creating its hooks. */
const LOAD_MS = 30_000;

/** The lookup folder of modules, and the options of functions that create hooks. */
export interface ModuleOptions {
  /** The folder against which relative paths are resolved. */
  readonly folder: string;
  /** Reads the file again if it has changed since the last read. */
  readonly fresh?: boolean;
  readonly options?: JsonObject | undefined;
}

/** The default export of a module: hooks, and kinds of hooks for configurations. */
export interface ModuleExports {
  readonly hooks: readonly Hook[];
  readonly kinds: readonly CatalogueEntry[];
}

/**
 * Returns the hooks and kinds in the default export of a module, in order. A function is called with `options` and returns hooks. Throws
 * `INPUT_INVALID` if the module cannot be used.
 */
export async function exportsOfModule(name: string, { folder, fresh, options }: ModuleOptions): Promise<ModuleExports> {
  return exportsOf(name, await defaultExport(name, folder, fresh), options);
}

/** Returns the kinds in the default export of a module. A function returns hooks only, so it is not called. */
export async function kindsOfModule(name: string, folder: string): Promise<ModuleExports['kinds']> {
  const exported = await defaultExport(name, folder, true);
  return typeof exported === 'function' ? [] : (await exportsOf(name, exported)).kinds;
}

async function exportsOf(name: string, exported: unknown, options?: JsonObject): Promise<ModuleExports> {
  const isFactory = typeof exported === 'function';
  if (!isFactory && options !== undefined) {
    throw wrong('it has options, but its default export is not a function of options.');
  }
  const given = isFactory
    ? await attempt(name, 'its default export failed', async () => exported(options ?? {}))
    : exported;
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  const wrongAt = items.findIndex((item) => !isHook(item) && (isFactory || !isCatalogueEntry(item)));
  if (wrongAt < 0) {
    const kinds = items.filter((item) => !isHook(item)) as CatalogueEntry[];
    for (const kind of kinds) checkKind(kind);
    return { hooks: items.filter(isHook), kinds };
  }
  const what = isFactory ? 'the result of its default export' : 'its default export';
  const which = Array.isArray(given) ? `item ${wrongAt} of ${what}` : what;
  throw wrong(`${which} is ${describe(items[wrongAt])}, not a hook. ${HOW}`);
}

async function defaultExport(name: string, folder: string, fresh?: boolean): Promise<unknown> {
  const file = findModule(name, folder);
  if (file === undefined) {
    throw wrong(`there is no such module. Use the path of a file (from ${folder}) or the name of a package.`);
  }
  const other = packageBeside(name, folder, file);
  if (other !== undefined)
    throw wrong(
      `it is the name of a file (${file}) and of a package (${other}). Write ./${name} for the file, or rename it.`,
    );
  const exported = await attempt(name, 'the module cannot be loaded', () => loadModule(file, fresh));
  if (exported === undefined) throw wrong(`it has no default export. ${HOW}`);
  return exported;
}

function checkKind(kind: CatalogueEntry): void {
  try {
    createCatalogue([kind]);
  } catch (thrown) {
    throw wrong(messageOf(thrown).replace(/\s+/g, ' '), thrown);
  }
}

function wrong(why: string, cause?: unknown): HooklineError {
  return new HooklineError('INPUT_INVALID', why, { cause });
}

/** Runs code of a module. The timer does not keep the process alive. */
async function attempt(name: string, failed: string, run: () => Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `${name} did not finish within ${LOAD_MS / 1_000} s. Check it for an await that never settles.`;
    timer = setTimeout(() => reject(new Error(message)), LOAD_MS).unref();
  });
  try {
    return await Promise.race([printAside(run), late]);
  } catch (thrown) {
    throw wrong(`${failed}: ${cutText(messageOf(thrown).replace(/\s+/g, ' '), 300)}`, thrown);
  } finally {
    clearTimeout(timer);
  }
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? 'a plain object' : `a ${typeof value}`;
}
