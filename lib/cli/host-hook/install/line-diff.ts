/** Unchanged lines that are shown around a change. */
const AROUND = 3;

/** Above this, the whole middle is shown as changed. */
const MOST_CELLS = 4_000_000;

type Line = readonly [sign: ' ' | '-' | '+', text: string];

/** Returns the lines that differ, each with `+` or `-`, and a few lines around them. */
export function lineDiff(before: string, after: string): readonly string[] {
  const lines = compared(linesOf(before), linesOf(after));
  const shown = new Set(
    lines.flatMap(([sign], at) =>
      sign === ' ' ? [] : Array.from({ length: 2 * AROUND + 1 }, (_, n) => at - AROUND + n),
    ),
  );
  return lines.flatMap(([sign, text], at) => {
    if (shown.has(at)) return [`${sign} ${text}`];
    return shown.has(at - 1) || (at === 0 && lines.length > 0) ? ['  ...'] : [];
  });
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split(/\r?\n/));

function compared(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++;
  let same = 0;
  const most = Math.min(before.length, after.length) - start;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  const kept = (lines: readonly string[]): readonly Line[] => lines.map((text) => [' ', text]);
  return [
    ...kept(before.slice(0, start)),
    ...middle(before.slice(start, before.length - same), after.slice(start, after.length - same)),
    ...kept(same === 0 ? [] : before.slice(-same)),
  ];
}

/** The longest common subsequence of lines stays. */
function middle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const removed = (lines: readonly string[]): readonly Line[] => lines.map((text) => ['-', text]);
  const added = (lines: readonly string[]): readonly Line[] => lines.map((text) => ['+', text]);
  if (before.length * after.length > MOST_CELLS) return [...removed(before), ...added(after)];
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number): number => longest[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      longest[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      lines.push([' ', before[row++] as string]);
      column++;
    } else if (at(row + 1, column) >= at(row, column + 1)) lines.push(['-', before[row++] as string]);
    else lines.push(['+', after[column++] as string]);
  }
  return [...lines, ...removed(before.slice(row)), ...added(after.slice(column))];
}
