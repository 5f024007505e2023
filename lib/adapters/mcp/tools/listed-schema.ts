import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Tool } from '../../../pipeline/define/tool.ts';
import { type StandardSchema, toInputSchema } from '../../../schemas/input-schema.ts';
import type { ListedTool } from './mcp-client.ts';

/** Any object: the server checks it itself. */
const unchecked: StandardSchema = {
  '~standard': { version: 1, vendor: 'mcp', validate: (value) => ({ value }) },
};

/** The schema of a listed tool as calls are checked by it, and why they are not, where it says what cannot be checked here. */
export function listedSchema({
  inputSchema,
}: ListedTool): Pick<Tool, 'inputSchema' | 'jsonSchema'> & { unchecked?: string } {
  const schema = { ...inputSchema, type: 'object' } as JsonObject;
  try {
    const checked = withoutPatterns(schema);
    toInputSchema(checked);
    return { inputSchema: checked, jsonSchema: schema };
  } catch (thrown) {
    return { inputSchema: unchecked, jsonSchema: schema, unchecked: messageOf(thrown) };
  }
}

/** What holds values, in which a member may be called anything. */
const DATA = ['default', 'examples'];

/** What holds schemas by name. */
const MAPS = ['properties', '$defs', 'definitions'];

/**
 * An expression of a server's, `^(a+)+$` say, may take longer than anybody waits; the server has it to check by. Throws where the schema could
 * mean something else without.
 */
function withoutPatterns(schema: JsonObject): JsonObject {
  const used = new Set<string>();
  const kept = without(schema, used);
  // Which of several schemas fits or must not, and whose defaults are put in, may hang on an expression.
  const isChoice =
    ['oneOf', 'contains', 'not'].some((word) => used.has(word)) || (used.has('anyOf') && used.has('default'));
  if (used.has('patternProperties') || (used.has('pattern') && isChoice))
    throw new Error('it has expressions of the server’s, which are not run here');
  return kept;
}

/** The schema without its expressions; `used` gets all of its keywords. */
function without<T>(schema: T, used: Set<string>): T {
  if (Array.isArray(schema)) return schema.map((inner) => without(inner, used)) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    used.add(key);
    if (key === 'pattern') return [];
    if (DATA.includes(key)) return [[key, value]];
    if (!MAPS.includes(key) || typeof value !== 'object' || value === null) return [[key, without(value, used)]];
    return [[key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, without(inner, used)]))]];
  });
  return Object.fromEntries(kept) as T;
}
