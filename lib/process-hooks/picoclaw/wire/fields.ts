import { HooklineError } from '../../../errors.ts';
import { isObject } from '../../../events/values/is-object.ts';

/** Returns the field with that name in any case. Go's decoder accepts `"Action"` for `action`, and scripts rely on it. */
export function field(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  for (const key in value) {
    if (key.length === name.length && key.toLowerCase() === name && Object.hasOwn(value, key)) return value[key];
  }
  return undefined;
}

/**
 * Returns a value with changed fields, whatever their case was, because Go's decoder would merge two spellings. A value that is not an object becomes
 * an object with these fields.
 */
export function withFields(value: unknown, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const others = isObject(value) ? Object.entries(value).filter(([key]) => !(key.toLowerCase() in fields)) : [];
  return Object.fromEntries([...others, ...Object.entries(fields)]);
}

/** Returns the field, which must be text if present. Another type makes the whole reply an error, as in the original. */
export function textField(value: unknown, name: string): string | undefined {
  return typed(value, name, 'text', (found): found is string => typeof found === 'string');
}

/** Returns the field, which must be an object if present. */
export function recordField(value: unknown, name: string): Record<string, unknown> | undefined {
  return typed(value, name, 'an object', isObject);
}

/** Returns the field, which must be a list if present. */
export function listField(value: unknown, name: string): unknown[] | undefined {
  return typed(value, name, 'a list', (found): found is unknown[] => Array.isArray(found));
}

/** Returns the field, which must be true or false if present. */
export function flagField(value: unknown, name: string): boolean | undefined {
  return typed(value, name, 'true or false', (found): found is boolean => typeof found === 'boolean');
}

function typed<T>(value: unknown, name: string, expected: string, is: (found: unknown) => found is T): T | undefined {
  const found = field(value, name);
  if (found === undefined || found === null) return undefined;
  if (is(found)) return found;
  throw new HooklineError('PROCESS_FAILED', `The reply is invalid: ${name} must be ${expected}, got ${kindOf(found)}.`);
}

/** Describes the type of a value in words. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
