import type { JsonObject } from '../../../events/values/json-value.ts';

/** Reads what somebody has written as the input of a call: a JSON object, or what is wrong with it. */
export function readInput(text: string): { readonly input: JsonObject } | { readonly fault: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { input: value as JsonObject };
    return { fault: 'The input of a call is a JSON object: { … }.' };
  } catch (thrown) {
    return { fault: `This is not JSON: ${(thrown as Error).message}` };
  }
}
