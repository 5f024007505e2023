import type { Shape } from './event-shapes.ts';

/** The members of an object, each read by itself. */
export interface Members {
  /** Those that fit. One that is null is left out, as if it were not there. */
  readonly fitting: Readonly<Record<string, unknown>>;
  /** What is wrong with the others: `continue: Invalid input ..`. */
  readonly faults: readonly string[];
  /** Names that are not in the shape. */
  readonly unknown: readonly string[];
}

/** Reads the members of `value` by a shape; `at` is put in front of their names in faults. */
export function readMembers(value: object, shape: Shape, at = ''): Members {
  const fitting: Record<string, unknown> = {};
  const faults: string[] = [];
  const unknown: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const parsed = member === null ? undefined : schema?.safeParse(member);
    if (!schema) unknown.push(name);
    else if (parsed?.success) fitting[name] = parsed.data;
    else
      for (const { path, message } of parsed?.error.issues ?? [])
        faults.push(`${[at + name, ...path].join('.')}: ${message}`);
  }
  return { fitting, faults, unknown };
}
