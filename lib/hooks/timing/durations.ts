/** Durations of one kind, in milliseconds. Percentiles cover only the last ones, up to a limit. */
export type DurationSummary = {
  readonly count: number;
  readonly totalMs: number;
  readonly maxMs: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
};

/** Collects durations of one kind. */
export interface Durations {
  add(ms: number): void;
  summary(): DurationSummary;
}

/** Keeps the last `most` durations, and the sum of all. */
export function createDurations(most: number): Durations {
  const last: number[] = [];
  let count = 0;
  let totalMs = 0;
  let maxMs = 0;
  return {
    add(ms) {
      last[count % most] = ms;
      count += 1;
      totalMs += ms;
      maxMs = Math.max(maxMs, ms);
    },
    summary() {
      const sorted = [...last].sort((a, b) => a - b);
      const [p50 = 0, p95 = 0, p99 = 0] = [50, 95, 99].map((part) => percentile(sorted, part));
      return { count, totalMs, maxMs, p50, p95, p99 };
    },
  };
}

/** Returns the lowest value that `percent` percent do not exceed. */
function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;
}
