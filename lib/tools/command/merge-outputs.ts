import type { Readable } from 'node:stream';

const lingerMs = 100;

/**
 * The text of several outputs in the order in which it comes, read only as fast as it is taken. Ends when all have ended, when
 * `signal` is found aborted, or a moment after `gone` if something that left the process group still holds an output open.
 */
export async function* mergeOutputs(
  outputs: readonly Readable[],
  gone: Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let wake = () => {};
  let left = false;
  let patience = 10;
  void gone.then(() => {
    left = true;
    wake();
  });
  const onEvent = () => wake();
  for (const output of outputs) {
    // Decodes across the borders of pieces.
    output.setEncoding('utf8');
    for (const event of ['readable', 'end', 'close', 'error']) output.on(event, onEvent);
  }
  try {
    while (!signal.aborted) {
      let some = false;
      for (const output of outputs) {
        const text: string | null = output.read();
        if (text === null) continue;
        some = true;
        yield text;
      }
      if (some) continue;
      if (outputs.every((output) => output.readableEnded || output.destroyed)) return;
      // What is left to read then is what the pipes hold; who still prints has left the group.
      if (left && patience-- === 0) return;
      const woken = new Promise<boolean>((resolve) => {
        const timer = left ? setTimeout(resolve, lingerMs, false) : undefined;
        wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
      if (!(await woken)) return;
    }
  } finally {
    for (const output of outputs) output.destroy();
  }
}
