import { memberOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';
import type { Message } from '../../../events/parts/message.ts';
import type { Reasoned } from '../../../loops/loop-run.ts';
import type { Model } from '../../../pipeline/define/model.ts';
import { checkLanguageModel } from '../check-language-model.ts';
import type { LanguageModel, SpecificationVersion, StreamPart } from '../language-model.ts';
import { readParts } from '../prompt/read-parts.ts';
import { newBlocks } from '../reply/blocks.ts';
import { toModelChunks } from '../reply/to-model-chunks.ts';
import { toModelError } from '../reply/to-model-error.ts';
import type { GenerateResult, HostPart } from './host-ai.ts';
import type { HostCall } from './host-call.ts';
import type { HostRequest } from './prompt-bridge.ts';
import { BlockWriter, RawReply, toContent, toStreamParts } from './reply-parts.ts';

type InnerModel = LanguageModel & { doGenerate?: (options: never) => PromiseLike<GenerateResult> };

/** A language model whose every request goes through the hooks of `call`. It is the given model in everything else. */
export function hookedModel(given: InnerModel, call: HostCall): InnerModel {
  if (typeof given !== 'object' || given === null)
    throw new HooklineError(
      'INPUT_INVALID',
      `The model must be given as an object, such as \`openai('gpt-5')\`, for hooks to see what it says; it is ${JSON.stringify(given)}.`,
    );
  const { specificationVersion: version } = checkLanguageModel(given, 'The model');
  const hooked = {
    doStream: (options: HostRequest) => stream(given, version, call, options),
    doGenerate: (options: HostRequest) => generate(given, version, call, options),
  };
  // A provider's model may have its members on its prototype.
  return new Proxy(given, {
    get: (target, name) =>
      Object.hasOwn(hooked, name) ? hooked[name as keyof typeof hooked] : Reflect.get(target, name, target),
  });
}

async function generate(
  inner: InnerModel,
  version: SpecificationVersion,
  call: HostCall,
  options: HostRequest,
): Promise<GenerateResult> {
  const { run, bridge, answer } = await call.begun(options.prompt as never, version, options.abortSignal);
  let raw = new RawReply();
  let result: Partial<GenerateResult> = { warnings: [] };
  if (answer) return { ...result, ...finished(answer, raw, version) };
  const asked = bridge.toRequest(options);
  let foreign: HostPart[] = [];
  const model: Model = async function* (request, { signal }) {
    raw = new RawReply();
    foreign = [];
    const host = await bridge.toHost(options, asked, request);
    const given = await failing(inner, () =>
      (inner.doGenerate as NonNullable<typeof inner.doGenerate>)({ ...host, abortSignal: signal } as never),
    );
    // The body holds the text as it was before the hooks.
    const { body: _, ...response } = (given['response'] ?? {}) as { body?: unknown };
    result = { ...given, ...(given['response'] !== undefined && { response }) };
    const blocks = newBlocks();
    const end: StreamPart = { type: 'finish', finishReason: given.finishReason, usage: given.usage };
    for (const part of [...given.content.flatMap(toStream), end]) {
      const chunks = toModelChunks(part, blocks);
      raw.note(part, chunks);
      for (const chunk of chunks) yield chunk;
    }
    foreign = given.content.filter(isForeign);
  };
  const reasoned = await asHost(run.reason(asked, model));
  const { finishReason, usage } = raw.ending(reasoned, version);
  const { providerMetadata: told, ...rest } = result as { readonly providerMetadata?: unknown };
  const beside = told !== undefined && raw.says(reasoned.message) && { providerMetadata: told };
  return { ...rest, ...beside, content: [...toContent(reasoned.message, raw), ...foreign], finishReason, usage };
}

function finished(answer: Message, raw: RawReply, version: SpecificationVersion): GenerateResult {
  const reasoned: Reasoned = { message: answer, finishReason: 'responded', usage: undefined, finished: true };
  const { finishReason, usage } = raw.ending(reasoned, version);
  return { content: toContent(answer, raw), finishReason, usage };
}

/** A part of a whole answer as those of a stream that would say the same. */
function toStream(part: HostPart, index: number): StreamPart[] {
  const id = String(index);
  const metadata = part['providerMetadata'] !== undefined && { providerMetadata: part['providerMetadata'] as never };
  if (part.type === 'tool-call') return [part as unknown as StreamPart];
  if (part.type !== 'text' && part.type !== 'reasoning') return [];
  return [
    { type: `${part.type}-start`, id },
    { type: `${part.type}-delta`, id, delta: String(part['text']) },
    { type: `${part.type}-end`, id, ...metadata },
  ];
}

/** What hooks do not see: sources, files, and what the provider runs itself. */
function isForeign(part: HostPart): boolean {
  return !['text', 'reasoning', 'tool-call'].includes(part.type) || part['providerExecuted'] === true;
}

async function stream(
  inner: InnerModel,
  version: SpecificationVersion,
  call: HostCall,
  options: HostRequest,
): Promise<{ readonly stream: ReadableStream<StreamPart> }> {
  const { run, bridge, answer } = await call.begun(options.prompt as never, version, options.abortSignal);
  let raw = new RawReply();
  let opened: (() => void) | undefined;
  const open = new Promise<void>((resolve) => {
    opened = resolve;
  });
  let controller: ReadableStreamDefaultController<StreamPart> | undefined;
  const parts = new ReadableStream<StreamPart>({
    start: (given) => {
      controller = given;
    },
    // A host that has been told to stop leaves it, too.
    cancel: () => {
      over = true;
      if (!run.signal.aborted) run.run.cancel('the stream was left');
    },
  });
  let over = false;
  const emit = (part: StreamPart): void => {
    opened?.();
    if (!over) controller?.enqueue(part);
  };
  const close = (): void => {
    if (!over) controller?.close();
    over = true;
  };
  /** What its host cuts fails as the stream of a provider does; not every host tells of that. */
  const leave = (thrown: unknown): void => {
    if (!over) controller?.error(thrown);
    over = true;
    void call.end();
  };
  const writer = new BlockWriter(emit);
  let details: { [member: string]: unknown } = {};
  let started = false;

  const conclude = (reasoned: Reasoned, how: 'all' | 'calls'): void => {
    writer.close();
    for (const part of toStreamParts(reasoned.message, raw, how)) emit(part);
    emit({ type: 'finish', ...raw.ending(reasoned, version) } as StreamPart);
    close();
  };

  if (answer) {
    emit({ type: 'stream-start', warnings: [] } as StreamPart);
    conclude({ message: answer, finishReason: 'responded', usage: undefined, finished: true }, 'all');
    return { stream: parts };
  }

  const asked = bridge.toRequest(options);
  const model: Model = async function* (request, { signal }) {
    raw = new RawReply();
    const host = await bridge.toHost(options, asked, request);
    const told: InnerModel = {
      ...namesOf(inner),
      doStream: async (given: never) => {
        const answered = await inner.doStream(given);
        const { stream: _, ...rest } = answered as { stream: never };
        details = rest;
        return answered;
      },
    };
    const blocks = newBlocks();
    try {
      for await (const part of readParts(told, host as never, signal)) {
        const chunks = toModelChunks(part, blocks);
        raw.note(part, chunks);
        if (part.type === 'stream-start' ? !started : isForeignPart(part, blocks.foreign)) emit(part);
        started ||= part.type === 'stream-start';
        // Not yield*, which makes an iterator with promises of its own for each list.
        for (const chunk of chunks) yield chunk;
      }
    } catch (thrown) {
      throw toModelError(thrown, inner);
    }
  };
  const live = !call.buffer;
  const done = asHost(run.reason(asked, model, live ? (chunk) => writer.write(chunk, raw) : undefined)).then(
    (reasoned) => conclude(reasoned, live && reasoned.finishReason !== 'responded' ? 'calls' : 'all'),
    (thrown: unknown) => {
      if (options.abortSignal?.aborted && !call.aborts) leave(thrown);
      writer.close();
      // An abort ends the host by its signal; the stream only ends.
      if (!run.signal.aborted || !call.aborts) emit({ type: 'error', error: thrown });
      close();
      throw thrown;
    },
  );
  // What fails before anything was said fails the request itself, as it does without hooks.
  await Promise.race([open, done]);
  done.catch(() => {});
  return { ...details, stream: parts };
}

/** Raw parts hold the text as it was before the hooks. */
const LISTED = ['text', 'reasoning', 'tool-input', 'tool-call', 'finish', 'error', 'raw'];

function isForeignPart(part: StreamPart, providers: ReadonlySet<string>): boolean {
  if (part.providerExecuted || providers.has(part.id ?? '') || providers.has(part.toolCallId ?? '')) return true;
  return !LISTED.some((type) => part.type === type || part.type.startsWith(`${type}-`));
}

function namesOf({ specificationVersion, provider, modelId }: LanguageModel): Omit<LanguageModel, 'doStream'> {
  return { specificationVersion, provider, modelId };
}

async function failing<T>(inner: LanguageModel, work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw toModelError(thrown, inner);
  }
}

/** The host knows its own errors: what a model has thrown reaches it as it was. */
async function asHost<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (thrown) {
    const cause = memberOf(thrown, 'code') === 'MODEL_FAILED' ? memberOf(thrown, 'cause') : undefined;
    throw cause ?? thrown;
  }
}
