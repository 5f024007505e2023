import type { ToolCall } from '../events/parts/tool-call.ts';
import type { JsonObject } from '../events/values/json-value.ts';

/** A tool call, as a model asks for one. */
export function toolCall(name: string, input: JsonObject = {}, id = 'call_1'): ToolCall {
  return { id, name, input };
}
