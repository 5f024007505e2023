/** Yields each value that `work` reports while it runs, and returns its result. */
export async function* relay<T, R>(work: (report: (value: T) => void) => Promise<R>): AsyncGenerator<T, R> {
  const waiting: T[] = [];
  let wake = (): void => {};
  let over = false;
  const result = work((value) => {
    waiting.push(value);
    wake();
  }).finally(() => {
    over = true;
    wake();
  });
  // It is awaited below, after all reported values.
  result.catch(() => {});
  for (;;) {
    while (waiting.length > 0) yield waiting.shift() as T;
    if (over) return await result;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
