import type { JsonObject } from '../../events/values/json-value.ts';

/** Whether a head is that of a suspended run, whose calls are pending. */
export function isSuspended(head: JsonObject | undefined): boolean {
  return (head?.['view'] as JsonObject | undefined)?.['state'] === 'suspended';
}
