import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';

/** Tells whether an entry with a command is ours. */
export type IsOurs = (handler: JsonValue) => boolean;

type List = readonly JsonValue[];

/** Returns the entries of an event with `entry` in the place of our first one, or last. Entries of others keep their places. */
export function withEntry(list: List, entry: JsonValue, isOurs: IsOurs): List {
  const kept: JsonValue[] = [];
  let placed = false;
  for (const old of list) {
    const rest = withoutOurs(old, isOurs);
    if (rest !== undefined) kept.push(rest);
    else if (!placed) {
      placed = true;
      kept.push(entry);
    }
  }
  return placed ? kept : [...kept, entry];
}

export function withoutEntries(list: List, isOurs: IsOurs): List {
  return list.flatMap((old) => withoutOurs(old, isOurs) ?? []);
}

/** An entry is a handler, or a group of them. */
function withoutOurs(entry: JsonValue, isOurs: IsOurs): JsonValue | undefined {
  if (isOurs(entry)) return undefined;
  if (!isObject(entry) || !Array.isArray(entry['hooks'])) return entry;
  const hooks = entry['hooks'].filter((handler) => !isOurs(handler));
  if (hooks.length === entry['hooks'].length) return entry;
  return hooks.length === 0 ? undefined : { ...entry, hooks };
}

/** Returns the first handler of ours, and the positions of its group and of itself. */
export function firstOurs(list: List, isOurs: IsOurs): { handler: JsonObject; at: [number, number] } | undefined {
  for (const [group, entry] of list.entries()) {
    const handlers = isObject(entry) && Array.isArray(entry['hooks']) ? entry['hooks'] : [entry];
    const at = handlers.findIndex(isOurs);
    if (at >= 0) return { handler: handlers[at] as JsonObject, at: [group, at] };
  }
  return undefined;
}

export const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other);
