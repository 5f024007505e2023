/** The bands of priorities, as HookPriority names them. */
const bands = [
  ['Security', 10],
  ['Auth', 20],
  ['Validation', 50],
  ['Preprocessing', 80],
  ['Business', 100],
  ['Postprocessing', 300],
  ['Logging', 500],
  ['Metrics', 600],
] as const;

/** The band of a priority: the last that begins at or below it; what lies before the first belongs to it. */
export function bandOf(priority: number): string {
  return (bands.findLast(([, from]) => priority >= from) ?? bands[0])[0];
}
