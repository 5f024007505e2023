/** Returns the entry of `names` that `name` probably misspells, if any. At most a third of the letters may differ, and at most `most`. */
export function nearestName(name: string, names: readonly string[], most = Infinity): string | undefined {
  const bound = (known: string) => Math.min(most, Math.max(1, Math.floor(known.length / 3)));
  const near = names
    .filter((known) => Math.abs(known.length - name.length) <= bound(known))
    .map((known) => ({ known, distance: editDistance(name.toLowerCase(), known.toLowerCase()) }))
    .filter(({ known, distance }) => distance <= bound(known));
  return near.sort((a, b) => a.distance - b.distance)[0]?.known;
}

/** Returns the help for an unknown name: the probable name, else all names. */
export function nearestOrAll(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  return near ? `Did you mean "${near}"?` : `There are: ${[...new Set(names)].join(', ') || 'none'}.`;
}

/** Counts missing, additional, wrong and swapped letters, each once. */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const swapped = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j] ? before[j - 1]! + 1 : Infinity;
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (a[i] === b[j] ? 0 : 1), swapped));
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
