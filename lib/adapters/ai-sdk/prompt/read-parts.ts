import { abortable } from '../abortable.ts';
import type { CallOptions, LanguageModel, PartStream, StreamPart } from '../language-model.ts';

/**
 * Asks a language model and pulls its stream part by part. When it is left, or the signal aborts, the reader is cancelled: even
 * a provider that ignores the signal lets go then. An 'error' part is thrown.
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
      // A cancelled reader says "done", which must not pass for the end of the answer.
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

/** Not awaited: a source whose clean-up hangs must not hang its consumer. */
function release(source: Pick<PartStream, 'cancel'>, signal: AbortSignal): void {
  source.cancel(signal.reason).then(undefined, () => {});
}
