/** A run of items that are in both lists, or in only one of them. */
export interface Part<T> {
  readonly kind: 'same' | 'removed' | 'added';
  readonly items: readonly T[];
}

/** The maximum number of edits. Beyond it, everything between the common ends counts as replaced. */
const MOST_EDITS = 600;

/** Returns the shortest edits from one list to another (Myers), between their common beginning and end. */
export function difference<T>(before: readonly T[], after: readonly T[]): readonly Part<T>[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const a = before.slice(head, before.length - tail);
  const b = after.slice(head, after.length - tail);
  const parts: Part<T>[] = [
    { kind: 'same', items: before.slice(0, head) },
    ...(middle(a, b) ?? [
      { kind: 'removed' as const, items: a },
      { kind: 'added' as const, items: b },
    ]),
    { kind: 'same', items: before.slice(before.length - tail) },
  ];
  return joined(parts);
}

function middle<T>(a: readonly T[], b: readonly T[]): Part<T>[] | undefined {
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const furthest = new Int32Array(2 * most + 3);
  const offset = most + 1;
  const trails: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trails.push(furthest.slice(offset - edits - 1, offset + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const [below, above] = [furthest[offset + k - 1] as number, furthest[offset + k + 1] as number];
      let x = k === -edits || (k !== edits && below < above) ? above : below + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      furthest[offset + k] = x;
      if (x >= a.length && x - k >= b.length) return wayBack(a, b, trails);
    }
  }
  return undefined;
}

function wayBack<T>(a: readonly T[], b: readonly T[], trails: readonly Int32Array[]): Part<T>[] {
  const parts: Part<T>[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = trails.length - 1; edits >= 0; edits -= 1) {
    const trail = trails[edits] as Int32Array;
    const at = (k: number) => trail[k + edits + 1] as number;
    const k = x - y;
    const from = k === -edits || (k !== edits && at(k - 1) < at(k + 1)) ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : at(from);
    const fromY = edits === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      parts.push({ kind: 'same', items: [a[x - 1] as T] });
      x -= 1;
      y -= 1;
    }
    if (edits === 0) break;
    if (x > fromX) parts.push({ kind: 'removed', items: [a[x - 1] as T] });
    else parts.push({ kind: 'added', items: [b[y - 1] as T] });
    [x, y] = [fromX, fromY];
  }
  return parts.reverse();
}

function joined<T>(parts: readonly Part<T>[]): readonly Part<T>[] {
  const all: { kind: Part<T>['kind']; items: T[] }[] = [];
  for (const { kind, items } of parts) {
    if (items.length === 0) continue;
    const last = all.at(-1);
    if (last?.kind === kind) for (const item of items) last.items.push(item);
    else all.push({ kind, items: [...items] });
  }
  return all;
}

/** Splits a text into words, the space between them and single signs. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}
