/** Median nanoseconds of one call of `work`, which does `size` things at a time, over several rounds taken in turns by all contenders. */
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
  console.log(Object.fromEntries(names.map((name) => [name, Math.min(...(times[name] ?? []))])));
  return Object.fromEntries(names.map((name) => [name, median(times[name] ?? [])]));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
