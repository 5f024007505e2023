import type { JsonValue } from '../../events/values/json-value.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import type { ConfigFile } from '../dialects/dialect.ts';
import { isMarked } from '../faults/schema-at.ts';
import type { HookKinds } from '../kinds/hook-kinds.ts';
import { type HookEntry, type NativeConfig, nativeSchema } from '../native-schema.ts';
import type { ConfigPath, Source } from '../source/source.ts';

/** What stands in the place of a secret. Sent back, it means the value that was there. */
export const HIDDEN = '[hidden]';

const VARIABLE = /^\$\{[A-Za-z_]\w*\}$/;

/** What a configuration says, in the form in which it was given, without its secrets: those that its schemas mark, and what looks like one. */
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

/** A configuration with its native form, and the way from there. */
type Shown = Pick<ConfigFile, 'config' | 'toSource'> & { readonly source: Pick<Source, 'value'> };

function looksSecret(value: string, path: ConfigPath): boolean {
  const text = `${JSON.stringify(String(path.at(-1)))}: ${JSON.stringify(value)}`;
  return usualRedactor().redact(text).text !== text;
}

function keyOf(path: ConfigPath): string {
  return JSON.stringify(path.map(String));
}

function isSecret(config: NativeConfig, kinds: HookKinds, path: ConfigPath): boolean {
  const [hooks, name, member, ...rest] = path;
  if (hooks !== 'hooks' || member !== 'options') return isMarked(nativeSchema, path, 'secret');
  const entry: HookEntry | undefined = config.hooks?.[name as string];
  const kind = kinds.get(entry?.type ?? '');
  // What an earlier file says of the type is not known here.
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
    Object.entries(value).map(([key, member]) => [key, mapLeaves(member, [...path, key], change)]),
  );
}
