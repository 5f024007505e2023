import type { LanguageModel, StreamPart } from '../../../lib/adapters/ai-sdk/language-model.ts';

/** The requests to a fake language model and the state of its stream. */
export interface Seen {
  readonly asked: { [option: string]: unknown }[];
  pulled: number;
  cancelled: boolean;
}

/** A language model of a version that streams `parts`, one for each pull. With `hangs` it never ends. */
export function fakeModel(
  specificationVersion: string,
  parts: readonly object[],
  { hangs = false, modelId = 'fake-1' } = {},
): LanguageModel & { seen: Seen } {
  const seen: Seen = { asked: [], pulled: 0, cancelled: false };
  const stream = () =>
    new ReadableStream<StreamPart>(
      {
        pull(controller) {
          const part = parts[seen.pulled] as StreamPart | undefined;
          if (part) controller.enqueue(part);
          else if (!hangs) controller.close();
          seen.pulled++;
          return part || !hangs ? undefined : new Promise<void>(() => {});
        },
        cancel() {
          seen.cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
  return {
    specificationVersion,
    provider: 'fake',
    modelId,
    seen,
    async doStream(options) {
      seen.asked.push(options);
      return { stream: stream() };
    },
  };
}
