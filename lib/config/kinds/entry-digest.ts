import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { sha256Hex } from '../../hashes/sha256.ts';
import type { HookOrigin } from '../../hooks/recorder/hook-origin.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import type { CompiledHook } from '../compile-config.ts';
import { isMarked } from '../issues/schema-at.ts';
import type { ConfigPath } from '../source/source.ts';

const DIGITS = 32;

/**
 * Returns the origin of a configured hook. A digest of a short secret would allow guessing it. So the digest contains the names of variables instead of
 * their values, and no options that are marked as secret or resemble one. The options of a module have no schema that marks them, and are left out.
 */
export function originOfEntry(hook: CompiledHook): HookOrigin {
  let known: string | undefined;
  return {
    kind: hook.kind.name,
    get digest() {
      known ??= entryDigest(hook);
      return known;
    },
  };
}

function entryDigest({ kind, written, defaults }: CompiledHook): string {
  const { options = {}, enabled: _, weaker: __, ...settings } = written;
  const isSecret = (value: JsonValue, path: ConfigPath) =>
    isMarked(kind.optionsSchema, path, 'secret') || resemblesSecret(value, path);
  const shown = kind.name === 'module' ? {} : withoutSecrets(options as JsonValue, [], isSecret);
  return sha256Hex(canonicalJson({ ...settings, defaults, options: shown } as JsonValue)).slice(0, DIGITS);
}

function withoutSecrets(
  value: JsonValue,
  path: ConfigPath,
  isSecret: (leaf: JsonValue, path: ConfigPath) => boolean,
): JsonValue {
  if (Array.isArray(value)) return value.map((item, index) => withoutSecrets(item, [...path, index], isSecret));
  if (typeof value !== 'object' || value === null) return isSecret(value, path) ? null : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, withoutSecrets(field, [...path, key], isSecret)]),
  );
}

/** Whether a value, or the name of a field around it, is one that the built-in rules redact. */
function resemblesSecret(value: JsonValue, path: ConfigPath): boolean {
  if (typeof value === 'boolean' || value === null) return false;
  const names = path.filter((name) => typeof name === 'string');
  const redactor = usualRedactor();
  return [...names, 'value'].some((name) => {
    const text = `${JSON.stringify(name)}: ${JSON.stringify(String(value))}`;
    return redactor.redact(text).text !== text;
  });
}
