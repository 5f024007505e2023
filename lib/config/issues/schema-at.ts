import { z } from 'zod';
import type { ConfigPath } from '../source/source.ts';

/** Returns the schemas of the value at `path`, several if `schema` is a union. */
function schemasAt(schema: z.ZodType, path: ConfigPath): readonly z.ZodType[] {
  const [name, ...rest] = path;
  return variants(schema).flatMap((one) => {
    if (name === undefined) return [one];
    const inner = propertyOf(one, name);
    return inner ? schemasAt(inner, rest) : [];
  });
}

/** Returns the field names allowed for an object at `path`. */
export function namesAt(schema: z.ZodType, path: ConfigPath): readonly string[] {
  return schemasAt(schema, path).flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : []));
}

/** Whether the schema of the value at `path`, or of a parent, has a mark (see `.meta()`). */
export function isMarked(schema: z.ZodType, path: ConfigPath, mark: 'secret' | 'local' | 'alone'): boolean {
  return (
    marksOn(schema, mark) ||
    (path.length > 0 &&
      variants(schema).some((one) => {
        const inner = propertyOf(one, path[0]!);
        return (one !== schema && marksOn(one, mark)) || (inner !== undefined && isMarked(inner, path.slice(1), mark));
      }))
  );
}

/** Returns the values at `path` that only a configuration file may set, as marked by `.meta({ filesOnly: [..] })`. */
export function filesOnlyAt(schema: z.ZodType, path: ConfigPath): readonly unknown[] {
  const [name, ...rest] = path;
  const own = (one: z.ZodType): unknown[] => {
    const inner = innerOf(one);
    return [...((one.meta()?.['filesOnly'] as unknown[] | undefined) ?? []), ...(inner ? own(inner) : [])];
  };
  if (name === undefined) return own(schema);
  return variants(schema).flatMap((one) => {
    const inner = propertyOf(one, name);
    return inner ? filesOnlyAt(inner, rest) : [];
  });
}

/** Whether the schema of anything within the value at `path` has a mark. */
export function holdsMark(schema: z.ZodType, path: ConfigPath, mark: 'secret' | 'local'): boolean {
  return schemasAt(schema, path).some((one) => fieldsOf(one).some((field) => isOrHolds(field, mark)));
}

function isOrHolds(schema: z.ZodType, mark: 'secret' | 'local'): boolean {
  return (
    marksOn(schema, mark) ||
    variants(schema).some((one) => marksOn(one, mark) || fieldsOf(one).some((field) => isOrHolds(field, mark)))
  );
}

function fieldsOf(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape);
  if (schema instanceof z.ZodRecord) return [schema.valueType as z.ZodType];
  return schema instanceof z.ZodArray ? [schema.element as z.ZodType] : [];
}

function marksOn(schema: z.ZodType, mark: string): boolean {
  if (schema.meta()?.[mark] === true) return true;
  const inner = innerOf(schema);
  return inner !== undefined && marksOn(inner, mark);
}

function propertyOf(schema: z.ZodType, name: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject)
    return Object.hasOwn(schema.shape, name) ? schema.shape[name as string] : undefined;
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType;
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  return undefined;
}

/** Unwraps optional, default and similar schemas; returns every part of a union. */
function variants(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(variants);
  const inner = innerOf(schema);
  return inner ? variants(inner) : [schema];
}

function innerOf(schema: z.ZodType): z.ZodType | undefined {
  const { def } = schema as unknown as { def: { innerType?: z.ZodType; in?: z.ZodType } };
  return def.innerType ?? def.in;
}
