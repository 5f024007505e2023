import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

/** Parses text as the input of a call: returns a JSON object or the error. */
export function readInput(text: string): { readonly input: JsonObject } | { readonly error: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { input: value as JsonObject };
    return { error: 'The input must be a JSON object: { … }.' };
  } catch (thrown) {
    return { error: `The input is not valid JSON: ${(thrown as Error).message}` };
  }
}
