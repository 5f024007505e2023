import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { field, isRecord, textField } from './fields.ts';

/** A call as PicoClaw writes it, with `function` always filled in (the original leaves it out for most providers). */
export function toWireCall(call: ToolCall): JsonObject {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  };
}

/** Calls of a reply; what is none is left out. Arguments that are not a JSON object make a call that fails with what is wrong. */
export function fromWireCalls(value: unknown): ToolCall[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((call, index) => {
    const of = field(call, 'function');
    const id = textField(call, 'id') || `hook-call-${index + 1}`;
    const name = textField(of, 'name') ?? textField(call, 'name') ?? '';
    const given = field(of, 'arguments') ?? field(call, 'arguments') ?? {};
    const input = typeof given === 'string' ? parse(given) : given;
    if (isRecord(input)) return { id, name, input: input as JsonObject };
    return { id, name, input: {}, inputError: 'The arguments from the hook are not a JSON object.' };
  });
}

function parse(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
