import type { ModelStepResult } from '../../../loops/loop-run.ts';
import { asHost } from '../../../loops/run-failure.ts';
import { hookReply } from '../../../loops/whole-reply.ts';
import type { Model, ModelChunk } from '../../../pipeline/define/model.ts';
import type { LanguageModel, SpecificationVersion, StreamPart } from '../language-model.ts';
import { readParts } from '../prompt/read-parts.ts';
import { newBlocks } from '../reply/blocks.ts';
import { toModelChunks } from '../reply/to-model-chunks.ts';
import { toModelError } from '../reply/to-model-error.ts';
import type { HostRequest } from './history/prompt-bridge.ts';
import type { HostCall } from './host-call.ts';
import { RawReply } from './raw-reply.ts';
import { toCallParts, toStreamParts } from './reply-parts.ts';
import { BlockWriter, ShownParts } from './shown-parts.ts';

/** Streams a model request after its hooks. */
export async function hookedStream(
  inner: LanguageModel,
  version: SpecificationVersion,
  call: HostCall,
  options: HostRequest,
): Promise<{ readonly stream: ReadableStream<StreamPart> }> {
  const { run, bridge, answer } = await call.begun(options.prompt as never, version, options.abortSignal);
  let raw = new RawReply();
  let begin: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let silent = true;
  let controller: ReadableStreamDefaultController<StreamPart> | undefined;
  const parts = new ReadableStream<StreamPart>({
    start: (given) => {
      controller = given;
    },
    // An aborted host also cancels the stream.
    cancel: () => {
      over = true;
      if (!run.signal.aborted) run.run.cancel('the consumer stopped reading the stream');
    },
  });
  let over = false;
  const emit = (part: StreamPart): void => {
    begin?.();
    silent = false;
    if (!over) controller?.enqueue(part);
  };
  const close = (): void => {
    if (!over) controller?.close();
    over = true;
  };
  /** If the host aborts, the stream fails like that of a provider. Some hosts do not cancel it. */
  const leave = (thrown: unknown): void => {
    if (!over) controller?.error(thrown);
    over = true;
    void call.end();
  };
  const shown = new ShownParts(emit);
  const writer = new BlockWriter(shown);
  const live = !call.buffer;
  let details: { [field: string]: unknown } = {};
  let started = false;

  const conclude = (reasoned: ModelStepResult): void => {
    const { message, finishReason } = reasoned;
    const responded = finishReason === 'responded';
    if (live && !reasoned.finished && !responded)
      for (const { part, at } of raw.inputs.left((block) => writer.inputAt(block))) shown.show(part, at);
    writer.close();
    if (live && !responded) {
      const calls = message.parts.flatMap((part) =>
        part.type === 'toolCall' ? [[part.toolCall.id, toCallParts(part, raw)] as const] : [],
      );
      shown.release(new Map(calls));
    } else {
      shown.release();
      // After a hook responded, nothing of the failed reply may be added.
      for (const part of toStreamParts(message, responded ? new RawReply() : raw)) emit(part);
    }
    emit({ type: 'finish', ...raw.ending(reasoned, version) } as StreamPart);
    close();
  };

  if (answer) {
    emit({ type: 'stream-start', warnings: [] } as StreamPart);
    conclude(hookReply(answer));
    return { stream: parts };
  }

  const asked = bridge.toRequest(options);
  const model: Model = async function* (request, { signal }) {
    raw = new RawReply();
    shown.release();
    const host = await bridge.toHost(options, asked, request);
    const languageModel: LanguageModel = {
      ...namesOf(inner),
      doStream: async (given: never) => {
        const answered = await inner.doStream(given);
        const { stream: _, ...rest } = answered as { stream: never };
        details = rest;
        return answered;
      },
    };
    const blocks = newBlocks();
    const quiet = silentBlocks();
    const pass = (part: StreamPart): void => {
      if (live) shown.show(part, blocks.count - 0.5);
      else raw.keep(part, blocks.count);
    };
    try {
      for await (const part of readParts(languageModel, host as never, signal)) {
        const chunks = toModelChunks(part, blocks);
        raw.note(part, chunks);
        for (const one of quiet(part, chunks)) pass(one);
        if (FIRST.includes(part.type)) {
          if (part.type !== 'stream-start' || !started) emit(part);
          started ||= part.type === 'stream-start';
        } else if (isForeignPart(part, blocks.foreign)) pass(part);
        // Not `yield*`, which creates an iterator with its own promises for each list.
        for (const chunk of chunks) {
          if (live && chunk.type === 'toolCall') shown.wait(raw.callAt(chunk.block ?? 0) ?? '', chunk.block ?? 0);
          yield chunk;
        }
      }
    } catch (thrown) {
      throw toModelError(thrown, inner);
    }
  };
  const done = asHost(run.reason(asked, model, live ? (chunk) => writer.write(chunk, raw) : undefined)).then(
    conclude,
    (thrown: unknown) => {
      if (options.abortSignal?.aborted && !call.aborts) leave(thrown);
      writer.close();
      shown.release();
      // The signal reports an abort to the host. The stream only ends.
      if (!silent && (!run.signal.aborted || !call.aborts)) emit({ type: 'error', error: thrown });
      close();
      throw thrown;
    },
  );
  // An error before the first content rejects the request itself, as it does without hooks.
  await Promise.race([begun, done]);
  done.catch(() => {});
  return { ...details, stream: parts };
}

/** The parts that start a stream, before any content. */
const FIRST = ['stream-start', 'response-metadata'];

/** Part types that are converted or dropped. Raw parts contain the text before the hooks. */
const LISTED = ['text', 'reasoning', 'tool-input', 'tool-call', 'finish', 'error', 'raw'];

function isForeignPart(part: StreamPart, providers: ReadonlySet<string>): boolean {
  if (part.providerExecuted || providers.has(part.id ?? '') || providers.has(part.toolCallId ?? '')) return true;
  return !LISTED.some((type) => part.type === type || part.type.startsWith(`${type}-`));
}

/** Finds blocks without content, which hooks do not receive. Returns their start and end once the end has arrived. */
function silentBlocks(): (part: StreamPart, chunks: readonly ModelChunk[]) => readonly StreamPart[] {
  const started = new Map<string, StreamPart>();
  return (part, chunks) => {
    const [, kind, what] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? [];
    if (kind === undefined) return [];
    const key = `${kind} ${part.id}`;
    const start = started.get(key);
    if (what === 'start') started.set(key, part);
    else if (chunks.length > 0 || what === 'end') started.delete(key);
    return what === 'end' && chunks.length === 0 && start ? [start, part] : [];
  };
}

function namesOf({ specificationVersion, provider, modelId }: LanguageModel): Omit<LanguageModel, 'doStream'> {
  return { specificationVersion, provider, modelId };
}
