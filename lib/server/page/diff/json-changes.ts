/** A difference at a path. Without `before` the value was added, without `after` removed; `cut`: there was more of it. */
export interface Change {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly cut?: boolean;
}

/** Returns the differences of two JSON values, each with its deepest path. */
export function jsonChanges(before: unknown, after: unknown, path = ''): readonly Change[] {
  if (before === after) return [];
  if (before === undefined) return [{ path, after }];
  if (after === undefined) return [{ path, before }];
  if (!isHolder(before) || !isHolder(after) || Array.isArray(before) !== Array.isArray(after))
    return [{ path, before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    jsonChanges(own(before, key), own(after, key), path === '' ? key : `${path}.${key}`),
  );
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function own(holder: object, key: string): unknown {
  return Object.hasOwn(holder, key) ? (holder as Record<string, unknown>)[key] : undefined;
}
