import type { MergedHook } from '../merge/merge-files.ts';
import type { ConfigPath } from '../source/source.ts';
import { type ConfigFault, faultAt } from './fault.ts';

/** A fault at `path` within a hook's entry: in the last file that says that part. */
export function entryFault(hook: MergedHook, path: ConfigPath, message: string, part?: 'key' | 'value'): ConfigFault {
  const { file, name } =
    hook.said.findLast((said) => has(said.file.config.hooks?.[said.name], path)) ?? hook.said.at(-1)!;
  return faultAt(file.source, file.toSource(['hooks', name, ...path]), message, path.length === 0 ? 'key' : part);
}

function has(value: unknown, path: ConfigPath): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return value !== undefined;
  return typeof value === 'object' && value !== null && has((value as Record<PropertyKey, unknown>)[name], rest);
}
