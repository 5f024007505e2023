import type { ToolDescription } from '../../../events/parts/tool-description.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { field, textField } from './fields.ts';

/** Converts a tool to a function definition. */
export function toWireTool({ name, description, inputSchema }: ToolDescription): JsonObject {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

/** Reads the tools of a reply. Tools with a known name keep their permission, and new ones are `external`. */
export function fromWireTools(returned: readonly unknown[], known: readonly ToolDescription[]): ToolDescription[] {
  return returned.flatMap((tool) => {
    const of = field(tool, 'function') ?? tool;
    const name = textField(of, 'name');
    if (name === undefined || name === '') return [];
    const before = known.find((one) => one.name === name);
    const parameters = field(of, 'parameters');
    const description = textField(of, 'description') ?? before?.description ?? '';
    const inputSchema = isObject(parameters) ? (parameters as JsonObject) : { type: 'object' };
    return [{ name, description, inputSchema, permission: before?.permission ?? 'external' }];
  });
}
