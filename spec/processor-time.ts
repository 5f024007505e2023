/** The least time that the processor spent on `act` in one of `rounds`, in milliseconds. What other programs take meanwhile is not in it. */
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
 * How many times as much `large` costs as `small`. A collection of garbage or a compilation in the middle makes one try look worse, never all of
 * them: it tries up to six times until it is below `enough`, and gives the least.
 */
export function growth(small: () => number, large: () => number, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 6 && least >= enough; tries++) least = Math.min(least, large() / small());
  return least;
}
