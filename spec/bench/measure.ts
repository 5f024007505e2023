/** Nanoseconds for each of the `size` things that a contender does at a time: the best of several rounds, taken in turns by all. */
export function measure(
  contenders: Readonly<Record<string, () => void>>,
  size: number,
  rounds = 15,
): Record<string, number> {
  const names = Object.keys(contenders);
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  for (const name of names) contenders[name]?.();
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const began = process.hrtime.bigint();
      contenders[name]?.();
      times[name]?.push(Number(process.hrtime.bigint() - began) / size);
    }
  }
  return Object.fromEntries(names.map((name) => [name, best(times[name] ?? [])]));
}

/** The best round: everything else that the machine does can only make a round slower. */
function best(values: readonly number[]): number {
  return Math.min(...values);
}
