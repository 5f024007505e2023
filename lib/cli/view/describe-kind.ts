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
    ...(example && { example: { hooks: { [name]: { type: name, options: example as JsonObject } } } }),
  };
}

/** The same as text. */
export function kindText({ name, description, options, example }: KindDescription): string {
  const rows = optionRows(options, '');
  if (rows.length === 0) return `${name}: ${description}\n`;
  const width = Math.min(28, Math.max(...rows.map(([path]) => path.length))) + 2;
  const lines = rows.map(([path, says]) => `  ${path.padEnd(width)}${says}`);
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
  return [`${name}: ${description}`, '', 'options:', ...lines, ...shown, ''].join('\n');
}

type Row = readonly [path: string, says: string];

function optionRows({ properties = {}, required = [] }: JsonObject, before: string): Row[] {
  return Object.entries(properties as Readonly<Record<string, JsonObject>>).flatMap(([name, schema]): Row[] => {
    // Can be given in code only.
    if (schema['not'] !== undefined) return [];
    const needed = (required as readonly string[]).includes(name) ? 'required' : '';
    const usual = 'default' in schema ? `default: ${JSON.stringify(schema['default'])}` : '';
    const aside = [typeOf(schema), needed, usual].filter((one) => one !== '').join('; ');
    const inner = (schema['items'] ?? schema) as JsonObject;
    const path = before + name;
    const row: Row = [path, [schema['description'], aside && `(${aside})`].filter(Boolean).join(' ')];
    return [row, ...optionRows(inner, `${path}${schema['items'] === undefined ? '' : '[]'}.`)];
  });
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
