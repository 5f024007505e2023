import { readlinkSync } from 'node:fs';

/** Identifies the container of this process, because processes of two containers may have the same ID. Empty if it is unknown. */
export function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
