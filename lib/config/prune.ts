import type { z } from 'zod';
import type { ConfigPath } from './source/source.ts';

/** Removes the invalid parts of a value, so that the rest can be checked. Returns `undefined` if the rest is still invalid. */
export function prune<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
  const copy = structuredClone(value);
  // Removing a required field invalidates its parent, which the next round removes.
  for (let round = 0; round < 8; round += 1) {
    const parsed = schema.safeParse(copy);
    if (parsed.success) return parsed.data;
    // Starts at the end, because removing a list item shifts the items after it.
    for (const issue of parsed.error.issues.toReversed()) {
      const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
      for (const name of names) remove(copy, name === undefined ? issue.path : [...issue.path, name]);
    }
  }
  return undefined;
}

/** Removes the field at `path`, or the parent if the field is missing. */
function remove(root: unknown, path: ConfigPath): void {
  const name = path.at(-1);
  if (name === undefined) return;
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], root);
  if (typeof holder !== 'object' || holder === null) return;
  if (!Object.hasOwn(holder, name)) remove(root, path.slice(0, -1));
  else if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else delete (holder as Record<PropertyKey, unknown>)[name];
}
