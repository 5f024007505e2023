import type { Sighting } from '../../compile/sighting.ts';
import type { Confidence } from '../../confidence.ts';
import { isMade } from '../is-made.ts';

/** The confidence of what a name for secrets was given: `assigned` where it looks like no word. */
export function assignedIfMade({ secret }: Sighting): Confidence {
  return isMade(secret) ? 'assigned' : 'guessed';
}
