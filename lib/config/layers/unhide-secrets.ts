import { isObject } from '../../events/values/is-object.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { ConfigPath } from '../source/source.ts';
import { HIDDEN } from './hidden.ts';

/** Fields that identify a list item after it has moved. */
const IDENTITY = ['type', 'label', 'name', 'id'];

/** Replaces the placeholders of a configuration with the secrets of `before`. Calls `refuse` if no secret matches a placeholder. */
export function unhideSecrets(
  config: JsonValue,
  before: JsonValue | undefined,
  refuse: (path: ConfigPath) => void,
): JsonValue {
  return fill(config, before, []);

  function fill(value: JsonValue, known: JsonValue | undefined, path: ConfigPath): JsonValue {
    if (value === HIDDEN) {
      if (known === undefined || typeof known === 'object') refuse(path);
      return known ?? value;
    }
    if (Array.isArray(value)) {
      const items: readonly JsonValue[] = Array.isArray(known) ? known : [];
      return value.map((item, index) => fill(item, meant(item, items, index), [...path, index]));
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => {
        const own = isObject(known) && Object.hasOwn(known, key) ? known[key] : undefined;
        return [key, fill(field, own, [...path, key])];
      }),
    );
  }
}

/** Returns the matching item: the one at the same place if it is the same, otherwise the only possible one. */
function meant(item: JsonValue, items: readonly JsonValue[], index: number): JsonValue | undefined {
  if (!isObject(item)) return items[index];
  const possible = items.filter((one) => isObject(one) && IDENTITY.every((name) => one[name] === item[name]));
  const here = items[index];
  if (here !== undefined && possible.includes(here)) return here;
  return possible.length === 1 ? possible[0] : undefined;
}
