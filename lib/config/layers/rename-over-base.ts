import type { ConfigFile } from '../dialects/dialect.ts';
import { createFreeNames } from '../merge/free-name.ts';
import type { HookEntry } from '../native-schema.ts';

/**
 * Renames the hooks of a layer whose handlers have no names of their own, as in JARVIS. A hook that differs from the base hook of the same name gets another
 * name, because it is a further hook and not a change.
 */
export function renameOverBase(layer: ConfigFile, base: ReadonlyMap<string, HookEntry>): ConfigFile {
  const given = Object.entries(layer.config.hooks ?? {});
  const own = new Set(given.map(([name]) => name));
  const freeName = createFreeNames((name) => base.has(name) || own.has(name));
  const names = new Map(given.map(([name, entry]) => [ownName(name, entry), name]));
  const hooks = Object.fromEntries([...names].map(([own, name]) => [own, layer.config.hooks![name]!]));
  return {
    ...layer,
    config: { ...layer.config, hooks },
    toSource([root, name, ...rest]) {
      const known = root === 'hooks' ? names.get(String(name)) : undefined;
      if (known !== undefined) return layer.toSource(['hooks', known, ...rest]);
      return layer.toSource([root, name, ...rest].filter((part) => part !== undefined));
    },
  };

  function ownName(name: string, entry: HookEntry): string {
    const known = base.get(name);
    if (!known || JSON.stringify(known) === JSON.stringify(entry)) return name;
    return freeName(`${name}.own`);
  }
}
