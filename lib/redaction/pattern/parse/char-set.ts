/** A set of UTF-16 units: sorted, disjoint, inclusive ranges, as `from, to, from, to ..`. */
export type CharSet = readonly number[];

/** The last UTF-16 unit. */
const LAST = 0xffff;

/** Returns all units in at least one of the sets; ranges may be in any order. */
export function unite(...sets: readonly CharSet[]): CharSet {
  const ranges: (readonly [number, number])[] = [];
  for (const set of sets) for (let k = 0; k < set.length; k += 2) ranges.push([set[k]!, set[k + 1]!]);
  if (ranges.length > 1) ranges.sort((a, b) => a[0] - b[0]);
  const united: number[] = [];
  for (const [from, to] of ranges) {
    const last = united.length - 1;
    if (last > 0 && from <= united[last]! + 1) united[last] = Math.max(united[last]!, to);
    else united.push(from, to);
  }
  return united;
}

/** Returns all units that are not in the set. */
export function complement(set: CharSet): CharSet {
  const rest: number[] = [];
  let next = 0;
  for (let k = 0; k < set.length; k += 2) {
    if (set[k]! > next) rest.push(next, set[k]! - 1);
    next = set[k + 1]! + 1;
  }
  if (next <= LAST) rest.push(next, LAST);
  return rest;
}

/** Returns whether a unit is in the set. */
export function contains(set: CharSet, unit: number): boolean {
  for (let k = 0; k < set.length; k += 2) {
    if (unit < set[k]!) return false;
    if (unit <= set[k + 1]!) return true;
  }
  return false;
}

/** Returns the number of units in the set. */
export function sizeOf(set: CharSet): number {
  let size = 0;
  for (let k = 0; k < set.length; k += 2) size += set[k + 1]! - set[k]! + 1;
  return size;
}
