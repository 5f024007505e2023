import type { JsonObject } from '../../events/values/json-value.ts';

/** The placeholder output of a call that waits for a sub-agent. A client sends answers only when every call of the step has an output. */
export const HELD: JsonObject = { hookline: 'waiting' };

/** Returns true for the placeholder output. Real outputs of tools are strings. */
export function isPendingOutput(output: unknown): boolean {
  return (output as Partial<JsonObject> | null | undefined)?.['hookline'] === HELD['hookline'];
}
