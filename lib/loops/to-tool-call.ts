import type { ToolCall } from '../events/parts/tool-call.ts';
import { jsonObject } from './json-object.ts';

const MAX_QUOTE = 200;

/** A call of the host as hooks see it. Arguments that are no object give an empty input, and say so. */
export function toToolCall(id: string, name: string, given: unknown): ToolCall {
  if (given === undefined || (typeof given === 'object' && given !== null && !Array.isArray(given)))
    return { id, name, input: jsonObject(given) };
  return failedCall(id, name, String(JSON.stringify(given)));
}

/** A call with arguments that are no object; `said` is what they are. */
export function failedCall(id: string, name: string, said: string): ToolCall {
  const quote = said.slice(0, MAX_QUOTE);
  return { id, name, input: {}, inputError: `The arguments must be a JSON object, but they are: ${quote}` };
}
