import { relay } from '../../../../loops/relay.ts';
import type { CallsUnderWay } from './own-tool.ts';

/** Runs a tool that reports progress. Yields settled progress, and last the output, which the SDK expects there. */
export async function* progress(
  calls: CallsUnderWay,
  toolCallId: string,
  run: () => Promise<unknown>,
): AsyncGenerator<unknown> {
  let shown: unknown = calls;
  const output = yield* relay<unknown, unknown>((report) => {
    calls.listen(toolCallId, (value) => {
      shown = value;
      report(value);
    });
    return run();
  });
  // The last value is the output. If it were yielded twice, the SDK would show it as progress first.
  if (output !== shown) yield output;
}
