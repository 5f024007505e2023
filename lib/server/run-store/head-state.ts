import type { JsonObject } from '../../events/values/json-value.ts';

/** Whether a head is that of a suspended run, whose calls are pending. */
export function isSuspended(head: JsonObject | undefined): boolean {
  return stateOf(head) === 'suspended';
}

/** Whether a head is that of an ended run. It is final. */
export function hasEnded(head: JsonObject | undefined): boolean {
  return stateOf(head) === 'ended';
}

function stateOf(head: JsonObject | undefined) {
  return (head?.['view'] as JsonObject | undefined)?.['state'];
}
