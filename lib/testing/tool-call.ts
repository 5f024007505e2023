import type { ToolCall } from '../events/parts/tool-call.ts';
import type { JsonObject } from '../events/values/json-value.ts';

/** Creates a tool call as a model would request it. */
export function toolCall(name: string, input: JsonObject = {}, id = 'call_1'): ToolCall {
  return { id, name, input };
}
