import type { ToolCall } from '../../../events/parts/tool-call.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { parseJson } from '../../../events/values/parse-json.ts';
import { field, textField } from './fields.ts';

/** Converts a call to PicoClaw's format. `function` is always set (the original omits it for most providers). */
export function toWireCall(call: ToolCall): JsonObject {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  };
}

/** Reads the calls of a reply and skips invalid items. Arguments that are not a JSON object make a call that fails with the error. */
export function fromWireCalls(value: unknown): ToolCall[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).map((call, index) => {
    const of = field(call, 'function');
    const id = textField(call, 'id') || `hook-call-${index + 1}`;
    const name = textField(of, 'name') ?? textField(call, 'name') ?? '';
    const given = field(of, 'arguments') ?? field(call, 'arguments') ?? {};
    const input = typeof given === 'string' ? parseJson(given.trim() === '' ? '{}' : given) : given;
    if (isObject(input)) return { id, name, input: input as JsonObject };
    return { id, name, input: {}, inputError: 'The arguments from the hook are not a JSON object.' };
  });
}
