import { z } from 'zod';
import type { ConfigPath } from '../source/source.ts';

type Schemas = readonly z.ZodType[];

/** The fields of a zod definition: first those for the same value, then those for the values in it. */
interface Definition {
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly options?: Schemas;

  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly items?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  readonly rest?: z.ZodType | null;
  readonly valueType?: z.ZodType;
  readonly element?: z.ZodType;
}

/** Returns the field names allowed for an object at `path`. */
export function namesAt(schema: z.ZodType, path: ConfigPath): readonly string[] {
  return schemasAt(schema, path).flatMap((one) => Object.keys(definitionOf(one).shape ?? {}));
}

/** Whether the schema of the value at `path`, or of a parent, has a mark (see `.meta()`). */
export function isMarked(schema: z.ZodType, path: ConfigPath, mark: 'secret' | 'local' | 'alone'): boolean {
  return path.some((_, depth) => has(schema, path.slice(0, depth), mark)) || has(schema, path, mark);
}

/** Returns the values at `path` that only a configuration file may set, as marked by `.meta({ filesOnly: [..] })`. */
export function filesOnlyAt(schema: z.ZodType, path: ConfigPath): readonly unknown[] {
  return schemasAt(schema, path).flatMap((one) => (one.meta()?.['filesOnly'] as unknown[] | undefined) ?? []);
}

/** Whether the schema of anything within the value at `path` has a mark. */
export function holdsMark(schema: z.ZodType, path: ConfigPath, mark: 'secret' | 'local'): boolean {
  // A schema may contain itself.
  const seen = new Set<z.ZodType>();
  function within(one: z.ZodType): boolean {
    if (seen.has(one)) return false;
    seen.add(one);
    return fieldsOf(one).some((field) => has(field, [], mark) || allOf([field]).some(within));
  }
  return schemasAt(schema, path).some(within);
}

function has(schema: z.ZodType, path: ConfigPath, mark: string): boolean {
  return schemasAt(schema, path).some((one) => one.meta()?.[mark] === true);
}

/** Returns the schemas of the value at `path`: the schema, and the parts of it that describe the same value. */
function schemasAt(schema: z.ZodType, path: ConfigPath): Schemas {
  return path.reduce<Schemas>((schemas, name) => allOf(schemas.flatMap((one) => fieldsOf(one, name))), allOf([schema]));
}

function allOf(schemas: Schemas): Schemas {
  // A schema may contain itself, and several may contain the same one.
  const all = new Set(schemas);
  for (const schema of all) {
    const { innerType, in: first, out, left, right, options = [] } = definitionOf(schema);
    const lazy = schema instanceof z.ZodLazy ? (schema._zod.innerType as z.ZodType) : undefined;
    for (const part of [innerType, first, out, left, right, lazy, ...options]) if (part) all.add(part);
  }
  return [...all];
}

/** Returns the schemas of the field `name`, or of all fields. */
function fieldsOf(schema: z.ZodType, name?: PropertyKey): Schemas {
  const { shape = {}, items = {}, catchall, rest, valueType, element } = definitionOf(schema);
  const named = { ...shape, ...items };
  const known = name === undefined ? Object.values(named) : Object.hasOwn(named, name) ? [named[name as string]!] : [];
  const others = [catchall, rest, valueType, element].filter((other) => other !== undefined && other !== null);
  return name !== undefined && known.length > 0 ? known : [...known, ...others];
}

function definitionOf(schema: z.ZodType): Definition {
  return schema.def as Definition;
}
