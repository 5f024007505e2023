import { isObject } from '../../events/values/is-object.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';

/** An option of a kind of hook, or a nested field. */
export interface OptionRow {
  /** `limits[].of` is a field of each item of `limits`. `prices.<name>` is a field with any name. */
  readonly path: string;
  /** The type in words, or empty if the schema has none. */
  readonly type: string;
  readonly required: boolean;
  readonly default?: JsonValue;
  readonly description: string;
  /** Restrictions: `secret`, `only in a file`. */
  readonly marks: readonly string[];
}

/** Returns the options of a JSON Schema with all nested fields. Options that only code can set are omitted. */
export function optionRows(schema: JsonObject): readonly OptionRow[] {
  return merged([...rowsOfFields(schema, ''), ...partsOf(schema).flatMap(optionRows)]);
}

function rowsOfFields({ properties = {}, required = [] }: JsonObject, before: string): readonly OptionRow[] {
  return Object.entries(properties as Readonly<Record<string, JsonObject>>).flatMap(([name, schema]) =>
    schema['not'] === undefined ? rowsOf(schema, before + name, (required as readonly string[]).includes(name)) : [],
  );
}

function rowsOf(schema: JsonObject, path: string, required: boolean): readonly OptionRow[] {
  const row = {
    path,
    type: typeOf(schema),
    required,
    ...('default' in schema && { default: schema['default'] as JsonValue }),
    description: String(schema['description'] ?? ''),
    marks: marksOf(schema),
  };
  return [row, ...rowsWithin(schema, path)];
}

/** Returns rows of fields, items, fields with any name, or alternatives of a value. */
function rowsWithin(schema: JsonObject, path: string): readonly OptionRow[] {
  const { items, additionalProperties: others } = schema as Readonly<Record<string, JsonValue>>;
  const rows = [
    ...rowsOfFields(schema, `${path}.`),
    ...(isObject(items) ? rowsWithin(items, `${path}[]`) : []),
    ...(isObject(others) && others['properties'] ? rowsWithin(others, `${path}.<name>`) : []),
    ...(isObject(others) && !others['properties'] ? rowsOf(others, `${path}.<name>`, false) : []),
    ...partsOf(schema).flatMap((one) => rowsWithin(one, path)),
  ];
  return merged(rows).filter(hasContent);
}

/** Returns the alternatives of a value. */
function partsOf({ anyOf, oneOf }: JsonObject): readonly JsonObject[] {
  return (anyOf ?? oneOf ?? []) as readonly JsonObject[];
}

function merged(rows: readonly OptionRow[]): readonly OptionRow[] {
  const forms = new Map<string, OptionRow>();
  for (const row of rows) forms.set(row.path, joined(forms.get(row.path), row));
  return [...forms.values()];
}

/** Merges fields with the same name from alternatives of a value: the types of both, and the rest of the last. */
function joined(first: OptionRow | undefined, last: OptionRow): OptionRow {
  const types = [...(first?.type.split(' | ') ?? []), ...last.type.split(' | ')].filter((type) => type !== '');
  return { ...last, type: [...new Set(types)].join(' | ') };
}

function hasContent({ type, required, description, marks, ...row }: OptionRow): boolean {
  return type !== '' || required || description !== '' || marks.length > 0 || 'default' in row;
}

function marksOf({ secret, local, filesOnly = [] }: JsonObject): readonly string[] {
  const values = (filesOnly as readonly JsonValue[]).map((value) => JSON.stringify(value));
  return [
    ...(secret ? ['secret'] : []),
    ...(local ? ['only in a configuration file'] : []),
    ...(values.length > 0 ? [`${values.join(', ')} only in a configuration file`] : []),
  ];
}

function typeOf(schema: JsonObject): string {
  const { type, enum: values, const: only, items } = schema as Readonly<Record<string, JsonValue>>;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.join(' | ');
  const parts = partsOf(schema);
  if (parts.length > 0) return [...new Set(parts.flatMap((one) => typeOf(one) || []))].join(' | ');
  if (type === 'array') return `list of ${typeOf((items ?? {}) as JsonObject) || 'anything'}`;
  return typeof type === 'string' ? type : '';
}
