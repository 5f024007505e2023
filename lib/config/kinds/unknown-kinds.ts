import { z } from 'zod';
import type { ConfigFile } from '../dialects/dialect.ts';
import { changesWeaken, type HookKind } from './hook-kind.ts';
import type { HookKinds } from './hook-kinds.ts';

const anyOptions = z.record(z.string(), z.json());

/**
 * Returns kinds that stand for the types that only the modules of the files can define. They accept all options. Empty if no file names a module:
 * such a type is an error.
 */
export function unknownKinds(files: readonly ConfigFile[], known: HookKinds): HookKinds {
  const entries = files.flatMap(({ config }) => Object.values(config.hooks ?? {}));
  if (!entries.some(({ path }) => path !== undefined)) return new Map();
  const types = entries.flatMap(({ type }) => (type === undefined || known.has(type) ? [] : [type]));
  return new Map(types.map((type) => [type, standIn(type)]));
}

function standIn(name: string): HookKind {
  return {
    name,
    description: 'A kind of a module that is not loaded.',
    origin: 'custom',
    optionsSchema: anyOptions,
    approves: () => true,
    weakens: changesWeaken,
    anchor: (options) => options,
    make() {
      throw new Error(`the module of the kind "${name}" is not loaded.`);
    },
  };
}
