import type { Shape } from './event-shapes.ts';

/** The fields of an object, each validated separately. */
export interface Fields {
  /** The valid fields. A field that is null counts as missing. */
  readonly valid: Readonly<Record<string, unknown>>;
  /** Validation errors of the others: `continue: Invalid input ..`. */
  readonly problems: readonly string[];
  /** Names that are not in the shape. */
  readonly unknown: readonly string[];
}

/** Validates the fields of `value` with a shape. `at` is the prefix of their names in problems. */
export function readFields(value: object, shape: Shape, at = ''): Fields {
  const valid: Record<string, unknown> = {};
  const problems: string[] = [];
  const unknown: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const parsed = field === null ? undefined : schema?.safeParse(field);
    if (!schema) unknown.push(name);
    else if (parsed?.success) valid[name] = parsed.data;
    else
      for (const { path, message } of parsed?.error.issues ?? [])
        problems.push(`${[at + name, ...path].join('.')}: ${message}`);
  }
  return { valid, problems, unknown };
}
