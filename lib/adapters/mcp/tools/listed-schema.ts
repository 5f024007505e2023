import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { type StandardSchema, toInputSchema } from '../../../pipeline/define/input-schema/input-schema.ts';
import type { Tool } from '../../../pipeline/define/tool.ts';
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
const DATA = ['default', 'examples', 'const', 'enum'];

/** What holds schemas by name. */
const MAPS = ['properties', '$defs', 'definitions', 'dependentSchemas'];

/** What fits where a text does not, or where only one does. */
const CHOICES = ['oneOf', 'not', 'if', 'contains'];

/**
 * An expression of a server's, `^(a+)+$` say, may take longer than anybody waits; the server has it to check by. Throws where the schema would
 * mean something else without.
 */
function withoutPatterns<T>(schema: T, isMap = false, isChoice = false): T {
  if (Array.isArray(schema)) return schema.map((inner) => withoutPatterns(inner, false, isChoice)) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (isMap) return [[key, withoutPatterns(value, false, isChoice)]];
    if (DATA.includes(key)) return [[key, value]];
    if (key === 'patternProperties' || (key === 'pattern' && isChoice))
      throw new Error('it has expressions of the server’s, which are not run here');
    if (key === 'pattern') return [];
    return [[key, withoutPatterns(value, MAPS.includes(key), isChoice || CHOICES.includes(key))]];
  });
  return Object.fromEntries(kept) as T;
}
