import type { Candidate } from './candidate.ts';
import type { History } from './history.ts';

/** The number of characters before the first line that must also be before each other line. */
const TAIL = 64;
/** The number of characters of a line that its pattern may read before it is part of the secret. */
const READ = 64;

/** Times and counters differ from line to line. */
const alike = (text: string): string => text.replace(/\d/g, '0');

/** Returns the end of the text before a candidate in its line, without the values of digits; `undefined` if that is short. */
export function tailBefore({ text, base }: History, start: number): string | undefined {
  const tail = text.slice(Math.max(0, start - base - TAIL), start - base);
  return tail.length < TAIL || /[\r\n]/.test(tail) ? undefined : alike(tail);
}

/** Returns whether the character at `at` begins a line of another secret: the text before it is not the text before the first line. */
export function strays({ tail, heldFrom, unit }: Candidate, { text, base }: History, at: number): boolean {
  if (!unit.aligned || heldFrom < 0) return false;
  return !alike(text.slice(Math.max(0, at - base - TAIL - READ), at - base)).includes(tail);
}
