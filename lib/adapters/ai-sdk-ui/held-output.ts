import type { JsonObject } from '../../events/values/json-value.ts';

/** Stands for the output of a call that waits for a sub-agent's: a client sends answers only when no call of the step is without one. */
export const HELD: JsonObject = { hookline: 'waiting' };

/** Whether an output is that, and nothing that a tool has said: what tools say are texts. */
export function isHeld(output: unknown): boolean {
  return (output as Partial<JsonObject> | null | undefined)?.['hookline'] === HELD['hookline'];
}
