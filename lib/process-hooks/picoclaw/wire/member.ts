import { HooklineError } from '../../../errors.ts';

/** The member of that name, written in any case: Go's decoder takes `"Action"` for `action`, and scripts rely on it. */
export function member(value: unknown, name: string): unknown {
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  for (const key in value) {
    if (key.length === name.length && key.toLowerCase() === name && Object.hasOwn(value, key)) return value[key];
  }
  return undefined;
}

/** A value with members changed, in whatever case they were: Go's decoder would merge two spellings. What is no object has none but those. */
export function withMembers(value: unknown, members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const others = isRecord(value) ? Object.entries(value).filter(([key]) => !(key.toLowerCase() in members)) : [];
  return Object.fromEntries([...others, ...Object.entries(members)]);
}

/** Whether a value is an object with members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member, which must be text where it is there; of another type it makes the whole reply an error, as in the original. */
export function textMember(value: unknown, name: string): string | undefined {
  return typed(value, name, 'text', (found): found is string => typeof found === 'string');
}

/** The member, which must be an object where it is there. */
export function recordMember(value: unknown, name: string): Record<string, unknown> | undefined {
  return typed(value, name, 'an object', isRecord);
}

/** The member, which must be a list where it is there. */
export function listMember(value: unknown, name: string): unknown[] | undefined {
  return typed(value, name, 'a list', (found): found is unknown[] => Array.isArray(found));
}

/** The member, which must be true or false where it is there. */
export function flagMember(value: unknown, name: string): boolean | undefined {
  return typed(value, name, 'true or false', (found): found is boolean => typeof found === 'boolean');
}

function typed<T>(value: unknown, name: string, expected: string, is: (found: unknown) => found is T): T | undefined {
  const found = member(value, name);
  if (found === undefined || found === null) return undefined;
  if (is(found)) return found;
  throw new HooklineError(
    'PROCESS_FAILED',
    `The reply does not fit: ${name} must be ${expected}, and is ${kindOf(found)}.`,
  );
}

/** What a value is, in words. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
