import type { CallsUnderWay } from './own-tool.ts';

/** Runs a tool that reports progress. Yields settled progress, and last the output, which the SDK expects there. */
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
  // The last value is the output. If it were yielded twice, the SDK would show it as progress first.
  if (value !== shown) yield value;
}
