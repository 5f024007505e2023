/** A letter, `|` or `#` at a frame of a timeline. */
export interface Letter {
  readonly frame: number;
  readonly letter: string;
}

/** Maximum line length before a line break. */
const WIDTH = 100;

/**
 * Draws two timelines as marbles in columns, under the frames with events. `^` points to frame `at`. Long timelines are wrapped, and only the parts
 * around `at` are shown.
 */
export function drawTimelines(expected: readonly Letter[], actual: readonly Letter[], at: number): string {
  const frames = [...new Set([...expected, ...actual].map(({ frame }) => frame))].sort((a, b) => a - b);
  const columns = frames.map((frame) => {
    const cells = [String(frame), cell(expected, frame), cell(actual, frame)];
    return { frame, cells, width: Math.max(...cells.map(({ length }) => length)) + 1 };
  });
  const stretches: (typeof columns)[] = [[]];
  for (const column of columns) {
    const current = stretches.at(-1) as typeof columns;
    const used = current.reduce((sum, { width }) => sum + width, 0);
    if (used + column.width > WIDTH && current.length > 0) stretches.push([column]);
    else current.push(column);
  }
  const place = stretches.findIndex((stretch) => stretch.some(({ frame }) => frame === at));
  const shown = stretches.filter((_, index) => Math.abs(index - place) <= 1);
  return shown.map((stretch) => drawStretch(stretch, at)).join('\n\n');

  function drawStretch(stretch: typeof columns, frame: number): string {
    const row = (label: string, index: number, fill: string) =>
      label + stretch.map(({ cells, width }) => (cells[index] as string).padEnd(width, fill)).join('');
    const before = stretch.slice(
      0,
      Math.max(
        0,
        stretch.findIndex((column) => column.frame === frame),
      ),
    );
    const indent = before.reduce((sum, { width }) => sum + width, 0);
    const caret = stretch.some((column) => column.frame === frame) ? [`          ${' '.repeat(indent)}^`] : [];
    return [row('frame     ', 0, ' '), row('expected  ', 1, '-'), row('actual    ', 2, '-'), ...caret]
      .map((line) => line.replace(/([|#]\)?)-+$/, '$1').trimEnd())
      .join('\n');
  }
}

function cell(letters: readonly Letter[], frame: number): string {
  const here = letters.filter((letter) => letter.frame === frame).map(({ letter }) => letter);
  return here.length > 1 ? `(${here.join('')})` : here.join('');
}
