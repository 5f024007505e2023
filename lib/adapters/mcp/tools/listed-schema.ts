import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Tool } from '../../../pipeline/define/tool.ts';
import { anyInput, toInputSchema } from '../../../schemas/input-schema.ts';
import type { ListedTool } from './mcp-client.ts';

/** Returns the schema that validates calls of a listed tool, and why calls are not validated if the schema cannot be checked here. */
export function listedSchema({
  inputSchema,
}: ListedTool): Pick<Tool, 'inputSchema' | 'jsonSchema'> & { unchecked?: string } {
  const schema = { ...inputSchema, type: 'object' } as JsonObject;
  try {
    const checked = withoutPatterns(schema);
    toInputSchema(checked);
    return { inputSchema: checked, jsonSchema: schema };
  } catch (thrown) {
    // The server validates it.
    return { inputSchema: anyInput, jsonSchema: schema, unchecked: messageOf(thrown) };
  }
}

/** Keywords with values, whose fields may have any name. */
const DATA = ['default', 'examples'];

/** Keywords with schemas by name. */
const MAPS = ['properties', '$defs', 'definitions'];

/**
 * Removes regular expressions from a schema. A server's expression such as `^(a+)+$` can backtrack for very long, so only the server checks it.
 * Throws if the schema could mean something else without them.
 */
function withoutPatterns(schema: JsonObject): JsonObject {
  const used = new Set<string>();
  const kept = without(schema, used);
  // Regular expressions can decide which of several schemas matches, and which defaults are set.
  const isChoice =
    ['oneOf', 'contains', 'not'].some((word) => used.has(word)) || (used.has('anyOf') && used.has('default'));
  if (used.has('patternProperties') || (used.has('pattern') && isChoice))
    throw new Error('it has regular expressions, which Hookline does not run');
  return kept;
}

/** Returns the schema without its regular expressions. `used` collects all of its keywords. */
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
