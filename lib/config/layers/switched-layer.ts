import { nearestOrAll } from '../../errors/nearest-name.ts';
import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { CompiledConfig } from '../compile-config.ts';
import type { ConfigFile } from '../dialects/dialect.ts';
import type { ConfigPath } from '../source/source.ts';

/** What a layer says once a hook, its own or the base's, is switched on or off. A hook that there is not is `INPUT_INVALID`. */
export function switchedLayer(layer: ConfigFile, base: CompiledConfig, hook: string, enabled: boolean): JsonValue {
  const said = layer.config.hooks ?? {};
  if (Object.hasOwn(said, hook))
    return withMember(layer.source.value as JsonValue, layer.toSource(['hooks', hook, 'enabled']), enabled);
  const names = [...new Set([...Object.keys(said), ...base.hooks.map(({ name }) => name)])];
  if (!names.includes(hook)) {
    const help = nearestOrAll(hook, names);
    throw new HooklineError('INPUT_INVALID', `There is no hook named ${JSON.stringify(hook)}. ${help}`);
  }
  // In the form of JARVIS a hook of the base has no place.
  return withMember(layer.config as JsonValue, ['hooks', hook], { enabled });
}

function withMember(value: JsonValue | undefined, [name, ...rest]: ConfigPath, member: JsonValue): JsonValue {
  if (name === undefined) return member;
  if (Array.isArray(value)) return value.map((item, at) => (at === name ? withMember(item, rest, member) : item));
  const holder = (value ?? {}) as Record<string, JsonValue>;
  return { ...holder, [name as string]: withMember(holder[name as string], rest, member) };
}
