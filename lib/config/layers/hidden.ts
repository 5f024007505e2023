import type { JsonValue } from '../../events/values/json-value.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import type { ConfigFile } from '../dialects/dialect.ts';
import { isMarked } from '../issues/schema-at.ts';
import type { HookKinds } from '../kinds/hook-kinds.ts';
import { type HookEntry, type NativeConfig, nativeSchema } from '../native-schema.ts';
import type { ConfigPath, Source } from '../source/source.ts';

/** Placeholder for a secret. When it is sent back, the saved value is kept. */
export const HIDDEN = '[hidden]';

const VARIABLE = /^\$\{[A-Za-z_]\w*\}$/;

/** Returns a configuration in its original format without secrets: values marked in the schemas, and values that resemble secrets. */
export function hideSecrets({ source, config, toSource }: Shown, kinds: HookKinds): JsonValue {
  const secret = new Set<string>();
  mapLeaves(config as JsonValue, [], (value, path) => {
    if (isSecret(config, kinds, path)) secret.add(keyOf(toSource(path)));
    return value;
  });
  return mapLeaves(source.value as JsonValue, [], (value, path) => {
    if (value === null || (typeof value === 'string' && VARIABLE.test(value))) return value;
    return secret.has(keyOf(path)) || (typeof value === 'string' && looksSecret(value, path)) ? HIDDEN : value;
  });
}

/** A configuration with its native form, and the mapping to its source. */
type Shown = Pick<ConfigFile, 'config' | 'toSource'> & { readonly source: Pick<Source, 'value'> };

function looksSecret(value: string, path: ConfigPath): boolean {
  const text = `${JSON.stringify(String(path.at(-1)))}: ${JSON.stringify(value)}`;
  return usualRedactor().redact(text).text !== text;
}

function keyOf(path: ConfigPath): string {
  return JSON.stringify(path.map(String));
}

function isSecret(config: NativeConfig, kinds: HookKinds, path: ConfigPath): boolean {
  const [hooks, name, field, ...rest] = path;
  if (hooks !== 'hooks' || field !== 'options') return isMarked(nativeSchema, path, 'secret');
  const entry: HookEntry | undefined = config.hooks?.[name as string];
  const kind = kinds.get(entry?.type ?? '');
  // The type may be set in an earlier file, which is not available here.
  const possible = kind ? [kind] : [...kinds.values()];
  return possible.some(({ optionsSchema }) => isMarked(optionsSchema, rest, 'secret'));
}

function mapLeaves(
  value: JsonValue,
  path: ConfigPath,
  change: (value: JsonValue, path: ConfigPath) => JsonValue,
): JsonValue {
  if (Array.isArray(value)) return value.map((item, index) => mapLeaves(item, [...path, index], change));
  if (typeof value !== 'object' || value === null) return change(value, path);
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, mapLeaves(field, [...path, key], change)]),
  );
}
