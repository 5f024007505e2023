import { nearestName } from '../errors/nearest-name.ts';
import type { JsonValue } from '../events/values/json-value.ts';

type Schema = { readonly [keyword: string]: JsonValue | undefined };

/** Keywords that describe a value and reject nothing. */
const annotations: readonly string[] = (
  '$schema $id $comment $defs definitions title description default examples deprecated ' +
  'readOnly writeOnly contentEncoding contentMediaType'
).split(' ');

/** Keywords that zod rejects. */
const refusedByZod: readonly string[] =
  'not if then else dependentSchemas dependentRequired unevaluatedItems unevaluatedProperties'.split(' ');

const ofNumbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const ofLists = 'items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains';
const ofObjects =
  'properties required additionalProperties patternProperties propertyNames minProperties maxProperties';

/** Keywords that zod checks, by type of value. */
const byType: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ofNumbers,
  integer: ofNumbers,
  array: ofLists.split(' '),
  object: ofObjects.split(' '),
  boolean: [],
  null: [],
};
const compositions: readonly string[] = ['anyOf', 'oneOf', 'allOf'];
const everywhere: readonly string[] = ['type', 'enum', 'const', '$ref', ...compositions];
const keywords = [...annotations, ...everywhere, ...new Set(Object.values(byType).flat())];

/**
 * Throws if `z.fromJSONSchema` would ignore a keyword, because a call could then run with an input that its schema rejects. Keywords that zod rejects
 * are left to zod. Found with zod 4.6: it checks the keywords of a type only next to `type`, and no keyword next to `$ref`, `enum` and `const`. It
 * checks `required` only for fields in `properties`, and the length of a list only with `items`.
 */
export function assertCheckable(schema: JsonValue, at = 'inputSchema'): void {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  assertKeywords(schema as Schema, at);
  for (const [place, inner] of innerSchemas(schema as Schema)) assertCheckable(inner, `${at}.${place}`);
}

function assertKeywords(schema: Schema, at: string): void {
  const used = Object.keys(schema).filter((key) => !annotations.includes(key) && !key.startsWith('x-'));
  const alone = ['$ref', 'enum', 'const'].find((key) => used.includes(key));
  const types = schema['type'] === undefined ? [] : [schema['type']].flat().map(String);
  const checked = alone
    ? [alone, ...(alone === '$ref' ? [] : ['type'])]
    : [...everywhere, ...types.flatMap((type) => byType[type] ?? [])];
  for (const key of used) {
    if (checked.includes(key) || refusedByZod.includes(key)) continue;
    if (!keywords.includes(key)) throw unknown(key, at);
    const why = alone ? `beside "${alone}"` : `where "type" is ${types.length > 0 ? types.join(' or ') : 'missing'}`;
    throw new Error(`"${key}" at ${at} is not checked ${why}`);
  }
  if (types.length === 0 && used.some((key) => compositions.includes(key)) && used.length > 1)
    throw new Error(`${used.join(' and ')} at ${at} are not checked together where "type" is missing`);
  assertPlain(schema, at);
  assertFields(schema, at);
}

function unknown(key: string, at: string): Error {
  const near = nearestName(key, keywords);
  return new Error(`"${key}" at ${at} is a keyword that cannot be checked${near ? `; did you mean "${near}"?` : ''}`);
}

function assertPlain(schema: Schema, at: string): void {
  const values = [
    ...((schema['enum'] as JsonValue[] | undefined) ?? []),
    ...('const' in schema ? [schema['const']] : []),
  ];
  if (values.some((value) => typeof value === 'object' && value !== null))
    throw new Error(`an object or a list in "enum" or "const" at ${at} cannot be checked`);
  const { type } = schema;
  if (type !== undefined && values.some((value) => ![type].flat().some((one) => isOf(value, one))))
    throw new Error(`a value in "enum" or "const" at ${at} is of another type than "type" says, which is not checked`);
}

function isOf(value: JsonValue | undefined, type: JsonValue): boolean {
  if (value === null) return type === 'null';
  return typeof value === 'number'
    ? type === 'number' || (type === 'integer' && Number.isInteger(value))
    : typeof value === type;
}

function assertFields(schema: Schema, at: string): void {
  const properties = Object.keys((schema['properties'] as object | undefined) ?? {});
  const missing = ((schema['required'] as string[] | undefined) ?? []).find((name) => !properties.includes(name));
  if (missing !== undefined)
    throw new Error(`"required" at ${at} names "${missing}", which is not checked unless it is among "properties"`);
  if (('minItems' in schema || 'maxItems' in schema) && !('items' in schema) && !('prefixItems' in schema))
    throw new Error(`"minItems" and "maxItems" at ${at} are not checked without "items"; true stands for any`);
}

function innerSchemas(schema: Schema): [string, JsonValue][] {
  const single = ['items', 'additionalItems', 'additionalProperties', 'propertyNames', 'contains'];
  const lists = [...compositions, 'prefixItems', 'items'];
  const maps = ['properties', 'patternProperties', '$defs', 'definitions'];
  return Object.entries(schema).flatMap(([key, value]): [string, JsonValue][] => {
    if (value === undefined || value === null || typeof value !== 'object') return [];
    if (Array.isArray(value)) {
      return lists.includes(key) ? value.map((inner, index): [string, JsonValue] => [`${key}[${index}]`, inner]) : [];
    }
    if (single.includes(key)) return [[key, value]];
    if (!maps.includes(key)) return [];
    return Object.entries(value).map(([name, inner]): [string, JsonValue] => [`${key}.${name}`, inner as JsonValue]);
  });
}
