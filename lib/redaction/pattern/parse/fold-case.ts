import { type CharSet, sizeOf, unite } from './char-set.ts';

/** A larger set is used unchanged: it names whole scripts, not letters. */
const MOST = 4096;

/** Returns the set with the other case of each letter, as with the flag `i`: never from outside ASCII into it. */
export function foldCase(set: CharSet): CharSet {
  const more: number[] = [];
  const beyond = sizeOf(set) <= MOST;
  for (let k = 0; k < set.length; k += 2) {
    addShifted(more, set[k]!, set[k + 1]!, 65, 90, 32);
    addShifted(more, set[k]!, set[k + 1]!, 97, 122, -32);
    if (!beyond) continue;
    for (let unit = Math.max(set[k]!, 128); unit <= set[k + 1]!; unit++) {
      const letter = String.fromCharCode(unit);
      for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
        const folded = other.charCodeAt(0);
        if (other.length === 1 && folded >= 128) more.push(folded, folded);
      }
    }
  }
  return unite(set, more);
}

function addShifted(into: number[], from: number, to: number, first: number, last: number, by: number): void {
  const low = Math.max(from, first);
  const high = Math.min(to, last);
  if (low <= high) into.push(low + by, high + by);
}
