import { stringify } from 'yaml';
import { configJsonSchema, type HookKinds } from '../../config/index.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';

type HookKind = HookKinds extends ReadonlyMap<string, infer K> ? K : never;

/** What one kind of hook is for, its options with their defaults, and an example. */
export interface KindDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly options: JsonObject;
  /** A configuration with this hook. */
  readonly example?: JsonObject;
}

/** Describes a kind as data. */
export function describeKind({ name, description, example }: HookKind, kinds: HookKinds): KindDescription {
  const entries = at(configJsonSchema(kinds), ['properties', 'hooks', 'additionalProperties', 'anyOf']) as JsonObject[];
  const entry = entries.find((one) => at(one, ['properties', 'type', 'const']) === name);
  return {
    name,
    description,
    options: at(entry, ['properties', 'options']) as JsonObject,
    ...(example && {
      example: {
        hooks: {
          [name]: { type: name, ...(name === 'module' && { path: './hooks.js' }), options: example as JsonObject },
        },
      },
    }),
  };
}

/** The same as text. */
export function kindText({ name, description, options, example }: KindDescription): string {
  const rows = optionRows(options, '');
  const width = Math.min(28, Math.max(0, ...rows.map(([path]) => path.length))) + 2;
  const lines = rows.map(([path, says]) => `  ${path.padEnd(width - 2)}  ${says}`);
  const shown = example
    ? [
        '',
        'example:',
        ...stringify(example)
          .trimEnd()
          .split('\n')
          .map((line) => `  ${line}`),
      ]
    : [];
  const table = rows.length > 0 ? ['', 'options:', ...lines] : [];
  return [`${name}: ${description}`, ...table, ...shown, ''].join('\n');
}

type Row = readonly [path: string, says: string];

function optionRows({ properties = {}, required = [] }: JsonObject, before: string): Row[] {
  return Object.entries(properties as Readonly<Record<string, JsonObject>>).flatMap(([name, schema]): Row[] => {
    // Can be given in code only.
    if (schema['not'] !== undefined) return [];
    return rowsOf(schema, before + name, (required as readonly string[]).includes(name));
  });
}

function rowsOf(schema: JsonObject, path: string, needed: boolean): Row[] {
  const usual = 'default' in schema ? `default: ${JSON.stringify(schema['default'])}` : '';
  const aside = [typeOf(schema), needed ? 'required' : '', usual, ...marksOf(schema)].filter((one) => one !== '');
  const says = [schema['description'], aside.length > 0 && `(${aside.join('; ')})`].filter(Boolean).join(' ');
  return [[path, says], ...rowsWithin(schema, path)];
}

/** What a value is made of: members, items, members of any name, or one of several forms. */
function rowsWithin(schema: JsonObject, path: string): Row[] {
  const { items, anyOf = [], additionalProperties: others } = schema as Readonly<Record<string, JsonValue>>;
  const rows = [
    ...optionRows(schema, `${path}.`),
    ...(isObject(items) ? rowsWithin(items, `${path}[]`) : []),
    // An object that says nothing but that it is one has no row.
    ...(isObject(others) && others['properties'] ? rowsWithin(others, `${path}.<name>`) : []),
    ...(isObject(others) && !others['properties'] ? rowsOf(others, `${path}.<name>`, false) : []),
    ...(anyOf as readonly JsonObject[]).flatMap((one) => rowsWithin(one, path)),
  ];
  // Several forms may have a member of one name.
  return [...new Map(rows.map((row) => [row[0], row])).values()].filter(([, says]) => says !== '');
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function marksOf({ secret, local, filesOnly = [] }: JsonObject): string[] {
  const values = (filesOnly as readonly JsonValue[]).map((value) => JSON.stringify(value));
  return [
    ...(secret ? ['secret'] : []),
    ...(local ? ['only in a file'] : []),
    ...(values.length > 0 ? [`${values.join(', ')} only in a file`] : []),
  ];
}

function typeOf(schema: JsonObject): string {
  const { type, enum: values, const: only, anyOf, items } = schema as Readonly<Record<string, JsonValue>>;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.join(' | ');
  if (Array.isArray(anyOf)) return [...new Set(anyOf.flatMap((one) => typeOf(one as JsonObject) || []))].join(' | ');
  if (type === 'array') return `list of ${typeOf((items ?? {}) as JsonObject) || 'anything'}`;
  return typeof type === 'string' ? type : '';
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as JsonObject | undefined)?.[name], value);
}
