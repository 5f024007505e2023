/** What `work` reports while it runs, one by one, and in the end what it comes to. */
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
  // It is awaited below, when all that it has reported is told.
  result.catch(() => {});
  for (;;) {
    while (waiting.length > 0) yield waiting.shift() as T;
    if (over) return await result;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
