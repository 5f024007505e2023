import type { CallsUnderWay } from './own-tool.ts';

/** A tool that reports progress: what leaves the hooks, and last what it came to, which the SDK takes for its output. */
export async function* progress(
  calls: CallsUnderWay,
  toolCallId: string,
  run: () => Promise<unknown>,
): AsyncGenerator<unknown> {
  const waiting: unknown[] = [];
  let wake = (): void => {};
  let over = false;
  calls.listen(toolCallId, (value) => {
    waiting.push(value);
    wake();
  });
  const output = run().finally(() => {
    over = true;
    wake();
  });
  output.catch(() => {});
  let shown: unknown = waiting;
  for (;;) {
    while (waiting.length > 0) {
      shown = waiting.shift();
      yield shown;
    }
    if (over) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  const value = await output;
  // The last value is the output: given twice, it would be shown as progress first.
  if (value !== shown) yield value;
}
