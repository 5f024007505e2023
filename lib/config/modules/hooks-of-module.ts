import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { cutText } from '../../hooks/text/cut-text.ts';
import { isHook } from '../../pipeline/define/define-hook.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { findModule } from './find-module.ts';
import { loadModule } from './load-module.ts';

const HOW = 'Write: export default defineHook({ … }), or export an array of hooks.';

/** Where modules are looked for, and what a function that makes hooks is given. */
export interface ModuleOptions {
  /** The folder that relative paths begin at. */
  readonly folder: string;
  /** Reads the file anew when it has changed since it was read last. */
  readonly fresh?: boolean;
  readonly options?: JsonObject | undefined;
}

/** The hooks that a module exports by default, in order; a function is called with `options`. A module that cannot be used is `INPUT_INVALID`. */
export async function hooksOfModule(name: string, { folder, fresh, options }: ModuleOptions): Promise<readonly Hook[]> {
  const wrong = (why: string, cause?: unknown) => new HooklineError('INPUT_INVALID', why, { cause });
  const file = findModule(name, folder);
  if (file === undefined) {
    throw wrong(`there is no such module. Give the path of a file (from ${folder}) or the name of a package.`);
  }
  const failing = (what: string) => (thrown: unknown) => {
    const why = cutText(messageOf(thrown).replace(/\s+/g, ' '), 300);
    throw wrong(`${what}: ${why}`, thrown);
  };
  const exported = await loadModule(file, fresh).catch(failing('the module cannot be loaded'));
  if (exported === undefined) throw wrong(`it has no default export. ${HOW}`);
  const isFactory = typeof exported === 'function';
  if (!isFactory && options !== undefined) {
    throw wrong('it was given options, but its default export is not a function that takes them.');
  }
  const given = isFactory
    ? await Promise.resolve()
        .then(() => exported(options ?? {}))
        .catch(failing('its default export has failed'))
    : exported;
  const hooks: readonly unknown[] = Array.isArray(given) ? given : [given];
  const odd = hooks.findIndex((hook) => !isHook(hook));
  if (odd < 0) return hooks as readonly Hook[];
  const what = isFactory ? 'what its default export gives' : 'its default export';
  const which = Array.isArray(given) ? `item ${odd} of ${what}` : what;
  throw wrong(`${which} is ${describe(hooks[odd])}, not a hook. ${HOW}`);
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? 'a plain object' : `a ${typeof value}`;
}
