import { canonicalJson } from '../values/canonical-json.ts';
import type { JsonObject } from '../values/json-value.ts';
import { walk } from '../values/sealed-placeholder.ts';
import type { ToolCall } from './tool-call.ts';

/** Returns whether two calls are equivalent: same name and input, in any key order. Sealed values are compared by label. */
export function sameCall(a: ToolCall, b: ToolCall): boolean {
  return a.name === b.name && labelled(a.input) === labelled(b.input);
}

function labelled(input: JsonObject): string {
  return canonicalJson(walk(input, '', ({ $sealed }) => ({ $sealed })));
}
