import { diffArrays } from 'diff/lib/diff/array.js';

/** A run of items that are in both lists, or in only one of them. */
export interface Part<T> {
  readonly kind: 'same' | 'removed' | 'added';
  readonly items: readonly T[];
}

/** The maximum number of edits. Beyond it, everything between the common ends counts as replaced. */
const MOST_EDITS = 600;

/** Returns the shortest edits from one list to another. */
export function difference<T>(before: readonly T[], after: readonly T[]): readonly Part<T>[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: MOST_EDITS });
  if (!changes) return replaced(before, after);
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    items: value,
  }));
}

function replaced<T>(before: readonly T[], after: readonly T[]): readonly Part<T>[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const parts: readonly Part<T>[] = [
    { kind: 'same', items: before.slice(0, head) },
    { kind: 'removed', items: before.slice(head, before.length - tail) },
    { kind: 'added', items: after.slice(head, after.length - tail) },
    { kind: 'same', items: before.slice(before.length - tail) },
  ];
  return parts.filter(({ items }) => items.length > 0);
}

/** Splits a text into words, the space between them and single signs. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}
