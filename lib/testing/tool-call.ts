import type { JsonObject } from '../events/json-value.ts';
import type { ToolCall } from '../events/tool-call.ts';

/** A tool call, as a model asks for one. */
export function toolCall(name: string, input: JsonObject = {}, id = 'call_1'): ToolCall {
  return { id, name, input };
}
