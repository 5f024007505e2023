import type { HostRun } from './host-run.ts';
import type { HostResult } from './host-types.ts';

/** Wraps the result of a streamed run. Its stream and `completed` end after postCall, and fail if a hook aborted. */
export function streamedResult(result: HostResult, host: HostRun): HostResult {
  const ended = (result.completed ?? Promise.resolve())
    .then(
      () => host.end({ suspended: result.interruptions.length > 0, left: result.cancelled ?? false }),
      (error: unknown) => host.end({ error }),
    )
    .then((thrown) => {
      if (thrown !== undefined) throw thrown;
    });
  let failed: unknown = null;
  ended.catch((thrown) => {
    failed = thrown;
  });
  const toStream = result.toStream?.bind(result) as () => ReadableStream<unknown>;
  let shown: ReadableStream<unknown> | undefined;
  const stream = (): ReadableStream<unknown> => {
    shown ??= endingWith(toStream(), ended);
    return shown;
  };
  const texts = result.toTextStream?.bind(result) as NonNullable<HostResult['toTextStream']>;
  return Object.defineProperties(result, {
    completed: { get: () => ended },
    error: { get: () => failed },
    toStream: { value: stream },
    toTextStream: {
      value: (...[options]: Parameters<typeof texts>) =>
        options?.compatibleWithNodeStreams ? toReadable(endingWith(texts(), ended)) : endingWith(texts(options), ended),
    },
    [Symbol.asyncIterator]: { value: () => (stream() as unknown as AsyncIterable<unknown>)[Symbol.asyncIterator]() },
  });
}

function endingWith(source: ReadableStream<unknown>, ended: Promise<void>): ReadableStream<unknown> {
  let reader: ReadableStreamDefaultReader<unknown> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        reader ??= source.getReader();
        const read = await reader.read().catch(() => ({ done: true as const, value: undefined }));
        if (!read.done) return controller.enqueue(read.value);
        await ended;
        controller.close();
      },
      cancel: (reason) => (reader ?? source.getReader()).cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Wraps a Node stream. `node:stream` is not imported, so that the adapter also runs in other runtimes. */
function toReadable(stream: ReadableStream<unknown>): unknown {
  const { Readable } = process.getBuiltinModule('node:stream');
  return Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
}
