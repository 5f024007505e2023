/** Lines around a change. */
const AROUND = 3;

/** Returns the change of a file as a unified diff with one hunk. `before`: undefined for a new file. */
export function unifiedDiff(file: string, before: string | undefined, after: string): readonly string[] {
  if (before === after) return [];
  const [a, b] = [linesOf(before ?? ''), linesOf(after)];
  const least = Math.min(a.length, b.length);
  let start = 0;
  while (start < least && a[start] === b[start]) start += 1;
  let same = 0;
  while (same < least - start && a[a.length - 1 - same] === b[b.length - 1 - same]) same += 1;
  const from = Math.max(0, start - AROUND);
  const tail = Math.min(same, AROUND);
  const [endA, endB] = [a.length - same + tail, b.length - same + tail];
  const shown = (sign: string, lines: readonly string[]) => lines.flatMap((line) => signed(sign, line));
  return [
    before === undefined ? '--- /dev/null' : `--- a/${file}`,
    `+++ b/${file}`,
    `@@ -${rangeOf(from, endA)} +${rangeOf(from, endB)} @@`,
    ...shown(' ', a.slice(from, start)),
    ...shown('-', a.slice(start, a.length - same)),
    ...shown('+', b.slice(start, b.length - same)),
    ...shown(' ', a.slice(a.length - same, endA)),
  ];
}

/** The lines with their line ends. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const rangeOf = (from: number, end: number): string => `${end === from ? from : from + 1},${end - from}`;

function signed(sign: string, line: string): readonly string[] {
  if (line.endsWith('\n')) return [`${sign}${line.slice(0, -1)}`];
  return [`${sign}${line}`, '\\ No newline at end of file'];
}
