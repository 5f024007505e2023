/** Numbers of durations, by bucket: each is the square root of two wider than the one before it, so a percentile is at most 42 % too high. */
export type Durations = number[];

/** The upper bound of the first bucket, in milliseconds. */
const FIRST_MS = 0.01;
const BUCKETS = 52;

export function noDurations(): Durations {
  return Array.from({ length: BUCKETS }, () => 0);
}

/** Counts a duration in milliseconds. */
export function withDuration(durations: Durations, ms: number): void {
  const bucket = Math.min(BUCKETS - 1, Math.max(0, Math.ceil(2 * Math.log2(ms / FIRST_MS))));
  durations[bucket] = (durations[bucket] ?? 0) + 1;
}

/** Returns the upper bound of the bucket that contains a percentile, in milliseconds; 0 without durations. */
export function durationsOf(durations: readonly number[], percentile: number): number {
  const total = durations.reduce((sum, count) => sum + count, 0);
  let left = Math.ceil(total * percentile);
  for (const [bucket, count] of durations.entries()) {
    left -= count;
    if (count > 0 && left <= 0) return Number((FIRST_MS * 2 ** (bucket / 2)).toPrecision(3));
  }
  return 0;
}
