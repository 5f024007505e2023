import type { Sighting } from '../../compile/sighting.ts';
import type { Confidence } from '../../confidence.ts';
import { isMade } from '../is-made.ts';

/** Returns the confidence of a value assigned to a name for secrets: `assigned` if it looks like no word. */
export function assignedIfMade({ secret }: Sighting): Confidence {
  return isMade(secret) ? 'assigned' : 'guessed';
}
