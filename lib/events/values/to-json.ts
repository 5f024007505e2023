import { HooklineError } from '../../errors.ts';
import type { JsonValue } from './json-value.ts';

const MAX_DEPTH = 500;

/**
 * Returns a deep copy of `value` as plain JSON data. Optional fields that are `undefined` are omitted, like in `JSON.stringify`. Other values without
 * JSON (functions, getters, class instances, NaN, bigints, circular references, sparse arrays, symbols) throw `NOT_JSON` with the path of the issue.
 * They are never called or converted.
 */
export function toJson(value: unknown, what: string): JsonValue {
  return copy(value, [what]);
}

/** Current field names and array indexes. They are formatted only for an issue. */
type Path = (string | number)[];

function copy(value: unknown, path: Path): JsonValue {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number')
    return Number.isFinite(value) ? (value === 0 ? 0 : value) : refuse(path, String(value));
  if (typeof value !== 'object') return refuse(path, `a ${typeof value}`);
  if (path.length > MAX_DEPTH + 1) return refuse(path, 'a circle, or nesting deeper than 500 levels');
  return Array.isArray(value) ? copyArray(value, path) : copyObject(value, path);
}

function copyArray(value: readonly unknown[], path: Path): JsonValue {
  // The prototype of plain arrays, of any realm, is an array itself.
  if (!Array.isArray(Object.getPrototypeOf(value))) return refuse(path, 'an instance of a class of arrays');
  if (Object.keys(value).length !== value.length || Object.getOwnPropertySymbols(value).length > 0)
    refuse(path, 'a sparse array, or an array with extra fields');
  // By length, because iterating over the array would call a getter.
  const result: JsonValue[] = [];
  for (let index = 0; index < value.length; index++) {
    path.push(index);
    result.push(copy(own(value, index, path), path));
    path.pop();
  }
  return result;
}

function copyObject(value: object, path: Path): JsonValue {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return refuse(path, `an instance of ${prototype.constructor?.name || 'a class'}`);
  }
  if (Object.getOwnPropertySymbols(value).length > 0) refuse(path, 'an object with a symbol key');
  const result: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    path.push(key);
    const field = own(value, key, path);
    const copied = field === undefined ? undefined : copy(field, path);
    path.pop();
    if (copied === undefined) continue;
    // Assigning to `__proto__` would set the prototype instead of a field.
    if (key === '__proto__')
      Object.defineProperty(result, key, { value: copied, enumerable: true, configurable: true, writable: true });
    else result[key] = copied;
  }
  return result;
}

function own(holder: object, key: string | number, path: Path): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(holder, key);
  return descriptor && 'value' in descriptor ? descriptor.value : refuse(path, 'a getter');
}

function refuse(path: Path, found: string): never {
  throw new HooklineError(
    'NOT_JSON',
    `${shortened(textOf(path))} is ${found}, which JSON cannot express. Give plain JSON data.`,
  );
}

function textOf([what, ...fields]: Path): string {
  return `${what}${fields.map((name) => (typeof name === 'number' ? `[${name}]` : `.${name}`)).join('')}`;
}

function shortened(path: string): string {
  return path.length <= 120 ? path : `${path.slice(0, 60)} .. ${path.slice(-50)}`;
}
