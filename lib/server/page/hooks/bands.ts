/** The bands of priorities, named as in HookPriority. */
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

/** Returns the band of a priority: the last that begins at or below it. Lower priorities belong to the first band. */
export function bandOf(priority: number): string {
  return (bands.findLast(([, from]) => priority >= from) ?? bands[0])[0];
}
