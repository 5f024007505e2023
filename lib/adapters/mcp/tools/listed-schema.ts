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

/** An expression of a server's, `^(a+)+$` say, may take longer than anybody waits; the server has it to check by. */
function withoutPatterns(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === 'patternProperties') throw new Error('"patternProperties" are expressions of the server’s');
    return key === 'pattern' && typeof value === 'string' ? undefined : value;
  });
}
