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
