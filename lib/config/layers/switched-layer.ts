import { nearestOrAll } from '../../errors/nearest-name.ts';
import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { CompiledConfig } from '../compile-config.ts';
import type { ConfigFile } from '../dialects/dialect.ts';
import type { ConfigPath } from '../source/source.ts';

/** Returns the layer after a hook of the layer or the base is enabled or disabled. Throws `INPUT_INVALID` if the hook does not exist. */
export function switchedLayer(layer: ConfigFile, base: CompiledConfig, hook: string, enabled: boolean): JsonValue {
  const entries = layer.config.hooks ?? {};
  if (Object.hasOwn(entries, hook))
    return withField(layer.source.value as JsonValue, layer.toSource(['hooks', hook, 'enabled']), enabled);
  const names = [...new Set([...Object.keys(entries), ...base.hooks.map(({ name }) => name)])];
  if (!names.includes(hook)) {
    const help = nearestOrAll(hook, names);
    throw new HooklineError('INPUT_INVALID', `There is no hook named ${JSON.stringify(hook)}. ${help}`);
  }
  // The format of JARVIS cannot contain a hook of the base.
  return withField(layer.config as JsonValue, ['hooks', hook], { enabled });
}

function withField(value: JsonValue | undefined, [name, ...rest]: ConfigPath, field: JsonValue): JsonValue {
  if (name === undefined) return field;
  if (Array.isArray(value)) return value.map((item, at) => (at === name ? withField(item, rest, field) : item));
  const holder = (value ?? {}) as Record<string, JsonValue>;
  return { ...holder, [name as string]: withField(holder[name as string], rest, field) };
}
