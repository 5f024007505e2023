import { resolve } from 'node:path';
import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { findModule } from '../modules/find-module.ts';
import { hooksOfModule } from '../modules/hooks-of-module.ts';
import { applyEntry } from './apply-entry.ts';
import { changesWeaken, type HookKind } from './hook-kind.ts';

/** Custom hooks, loaded from a module. */
export const moduleKind: HookKind = {
  name: 'module',
  description:
    'Loads your own hooks from a module that exports a hook, a list of hooks, or a function of the options that returns them.',
  origin: 'file',
  optionsSchema: z.record(z.string(), z.json()),
  example: { limit: 3 },
  // Unknown until the module is loaded.
  approves: () => true,
  weakens: changesWeaken,
  anchor: (options) => options,
  files: ({ path }, folder) => (path === undefined ? [] : [findModule(path, folder) ?? resolve(folder, path)]),
  async make({ name, entry, folder, defaults }) {
    const { path, options } = entry;
    if (path === undefined) throw new HooklineError('OPTIONS_INVALID', 'a hook of type module needs a path.');
    const hooks = await hooksOfModule(path, { folder, fresh: true, options: options as never });
    const single = hooks.length === 1;
    return { hooks: hooks.map((hook) => applyEntry(hook, single ? name : `${name}.${hook.name}`, entry, defaults)) };
  },
};
