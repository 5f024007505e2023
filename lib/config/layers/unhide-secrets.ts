import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import type { ConfigPath } from '../source/source.ts';
import { HIDDEN } from './hidden.ts';

/** Members by which an item of a list is known again when it has moved. */
const IDENTITY = ['type', 'label', 'name', 'id'];

/** The configuration with the secrets of `before` where it says that they are hidden; where there is none that could be meant, `refuse` is told. */
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
      Object.entries(value).map(([key, member]) => {
        const own = isObject(known) && Object.hasOwn(known, key) ? known[key] : undefined;
        return [key, fill(member, own, [...path, key])];
      }),
    );
  }
}

/** The item that was there: at its place if it is the same, else the only one that can be. */
function meant(item: JsonValue, items: readonly JsonValue[], index: number): JsonValue | undefined {
  if (!isObject(item)) return items[index];
  const possible = items.filter((one) => isObject(one) && IDENTITY.every((name) => one[name] === item[name]));
  const here = items[index];
  if (here !== undefined && possible.includes(here)) return here;
  return possible.length === 1 ? possible[0] : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
