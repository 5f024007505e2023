import { abortable } from '../abortable.ts';
import type { CallOptions, LanguageModel, PartStream, StreamPart } from '../language-model.ts';

/**
 * Calls a language model and reads its stream part by part. If the consumer stops or the signal aborts, the reader is cancelled. This also stops
 * providers that ignore the signal. An 'error' part is thrown.
 */
export async function* readParts(
  model: LanguageModel,
  options: CallOptions,
  signal: AbortSignal,
): AsyncGenerator<StreamPart, void> {
  const { stream } = await abortable(model.doStream({ ...options, abortSignal: signal }), signal, (late) =>
    release(late.stream, signal),
  );
  const reader = stream.getReader();
  const cancel = () => release(reader, signal);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // A cancelled reader returns "done", which must not look like a complete reply.
      signal.throwIfAborted();
      if (done || !value) return;
      if (value.type === 'error') throw value.error;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

/** Not awaited: a source whose cleanup hangs must not block its consumer. */
function release(source: Pick<PartStream, 'cancel'>, signal: AbortSignal): void {
  source.cancel(signal.reason).then(undefined, () => {});
}
