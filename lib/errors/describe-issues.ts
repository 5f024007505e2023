import { z } from 'zod';
import { nearestName } from './nearest-name.ts';

/** Field names of other libraries, with our name for each. */
export type OtherNames = Readonly<Record<string, string>>;

/** Formats the validation errors of `schema`, each with its path. An unknown key comes with the nearest known one. */
export function describeIssues(schema: z.ZodType, error: z.core.$ZodError, otherNames: OtherNames = {}): string {
  const issues = error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? { ...issue, message: unknownKeys(issue.keys, namesAt(schema, issue.path), otherNames) }
      : issue,
  );
  return z.prettifyError({ issues });
}

function unknownKeys(keys: readonly string[], known: readonly string[], otherNames: OtherNames): string {
  const parts = keys.map((key) => {
    const other = Object.hasOwn(otherNames, key) ? otherNames[key]! : '';
    const near = known.includes(other) ? other : nearestName(key, known);
    return near === undefined ? `unknown key "${key}"` : `unknown key "${key}", did you mean "${near}"?`;
  });
  const all = parts.every((one) => one.endsWith('?')) ? '' : `; there are ${known.join(', ')}`;
  return `${parts.join('; ')}${all}`;
}

function namesAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const shape = shapeOf(schema);
  const [name, ...rest] = path;
  if (name === undefined) return Object.keys(shape ?? {});
  const inner = shape?.[name as string];
  return inner ? namesAt(inner, rest) : [];
}

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> | undefined {
  const { innerType, shape } = schema.def as { innerType?: z.ZodType; shape?: Record<string, z.ZodType> };
  return innerType ? shapeOf(innerType) : shape;
}
