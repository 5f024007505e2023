import { resolve } from 'node:path';
import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { exportsOfModule } from '../modules/exports-of-module.ts';
import { findModule } from '../modules/find-module.ts';
import { applyEntry } from './apply-entry.ts';
import { changesWeaken, type HookKind } from './hook-kind.ts';

/** The fields of an entry that apply to its hooks. */
const OF_HOOKS = ['match', 'priority', 'phase', 'onFailure', 'timeoutMs'] as const;

/** Custom hooks, loaded from a module. Kinds that the module exports are in the catalogue already. */
export const moduleKind: HookKind = {
  name: 'module',
  description:
    'Loads your own hooks from a module or package: a hook, a list of hooks, a function of the options that returns them, or kinds of hooks.',
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
    const { hooks, kinds } = await exportsOfModule(path, { folder, fresh: true, options: options as never });
    const ineffective = hooks.length > 0 ? undefined : OF_HOOKS.find((field) => entry[field] !== undefined);
    if (ineffective !== undefined) {
      const names = kinds.map((kind) => kind.name).join(', ');
      throw new HooklineError(
        'OPTIONS_INVALID',
        `the module exports only kinds of hooks (${names}). Set ${ineffective} in the hooks that use them.`,
      );
    }
    const single = hooks.length === 1;
    return { hooks: hooks.map((hook) => applyEntry(hook, single ? name : `${name}.${hook.name}`, entry, defaults)) };
  },
};
