/** Minimum processor time of `act` in `rounds`, in milliseconds, without other programs. */
export function processorTime(act: () => unknown, rounds = 3): number {
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

/**
 * Ratio of the cost of `large` to `small`. Garbage collections or compilations make single attempts worse, never all. It repeats up to six times
 * until the ratio is below `enough`, and returns the minimum. One round of `large` can be enough.
 */
export function growth(small: () => number, large: () => number, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 6 && least >= enough; tries++) least = Math.min(least, large() / small());
  return least;
}
