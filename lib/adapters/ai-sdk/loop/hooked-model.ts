import { HooklineError } from '../../../errors.ts';
import type { Message } from '../../../events/parts/message.ts';
import { overlaid } from '../../../loops/overlaid.ts';
import { asHost } from '../../../loops/run-failure.ts';
import { hookReply, wholeReply } from '../../../loops/whole-reply.ts';
import type { ModelChunk, ModelRequest } from '../../../pipeline/define/model.ts';
import { checkLanguageModel } from '../check-language-model.ts';
import type { LanguageModel, SpecificationVersion, StreamPart } from '../language-model.ts';
import { newBlocks } from '../reply/blocks.ts';
import { toModelChunks } from '../reply/to-model-chunks.ts';
import { toModelError } from '../reply/to-model-error.ts';
import type { HostRequest } from './history/prompt-bridge.ts';
import { hookedStream } from './hooked-stream.ts';
import type { GenerateResult, HostPart } from './host-ai.ts';
import type { HostCall } from './host-call.ts';
import { RawReply } from './raw-reply.ts';
import { toContent } from './reply-parts.ts';

type InnerModel = LanguageModel & { doGenerate?: (options: never) => PromiseLike<GenerateResult> };

/** Wraps a language model so that every request goes through the hooks of `call`. Everything else is the given model. */
export function hookedModel(given: InnerModel, call: HostCall): InnerModel {
  if (typeof given !== 'object' || given === null)
    throw new HooklineError(
      'INPUT_INVALID',
      `The model must be an object, such as \`openai('gpt-5')\`, because hooks cannot see the output of a model ID. Got ${JSON.stringify(given)}.`,
    );
  const { specificationVersion: version } = checkLanguageModel(given, 'The model');
  return overlaid(given, {
    doStream: (options: HostRequest) => hookedStream(given, version, call, options),
    doGenerate: (options: HostRequest) => generate(given, version, call, options),
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
  const ask = async (request: ModelRequest, signal: AbortSignal): Promise<readonly ModelChunk[]> => {
    raw = new RawReply();
    const host = await bridge.toHost(options, asked, request);
    const given = await failing(inner, () =>
      (inner.doGenerate as NonNullable<typeof inner.doGenerate>)({ ...host, abortSignal: signal } as never),
    );
    // The body contains the text before the hooks.
    const { body: _, ...response } = (given['response'] ?? {}) as { body?: unknown };
    result = { ...given, ...(given['response'] !== undefined && { response }) };
    const blocks = newBlocks();
    const end: StreamPart = { type: 'finish', finishReason: given.finishReason, usage: given.usage };
    const all: ModelChunk[] = [];
    let at = 0;
    for (const own of [...given.content, end as unknown as HostPart]) {
      const before = blocks.count;
      let emitted = isForeign(own) ? 0 : undefined;
      for (const part of emitted === 0 ? [] : toStream(own, at++)) {
        const chunks = toModelChunks(part, blocks);
        raw.note(part, chunks, own);
        emitted = (emitted ?? 0) + chunks.length;
        all.push(...chunks);
      }
      // Hooks do not receive parts without content.
      if (emitted === 0) raw.keep(own, before);
    }
    return all;
  };
  const reasoned = await asHost(run.reason(asked, (request, { signal }) => wholeReply(() => ask(request, signal))));
  const { finishReason, usage } = raw.ending(reasoned, version);
  const { providerMetadata, ...rest } = result as { readonly providerMetadata?: unknown };
  const metadata = providerMetadata !== undefined && raw.matches(reasoned.message) && { providerMetadata };
  // After a hook responded, nothing of the failed reply may be added.
  const reply = reasoned.finishReason === 'responded' ? new RawReply() : raw;
  return { ...rest, ...metadata, content: toContent(reasoned.message, reply), finishReason, usage };
}

function finished(answer: Message, raw: RawReply, version: SpecificationVersion): GenerateResult {
  const { finishReason, usage } = raw.ending(hookReply(answer), version);
  return { content: toContent(answer, raw), finishReason, usage };
}

/** Converts a part of a complete reply to the equivalent stream parts. */
function toStream(part: HostPart, index: number): StreamPart[] {
  const id = String(index);
  const metadata = part['providerMetadata'] !== undefined && { providerMetadata: part['providerMetadata'] as never };
  if (part.type === 'tool-call' || part.type === 'finish') return [part as unknown as StreamPart];
  return [
    { type: `${part.type}-start`, id },
    { type: `${part.type}-delta`, id, delta: String(part['text']) },
    { type: `${part.type}-end`, id, ...metadata },
  ];
}

/** Returns true for parts that hooks do not see: sources, files, calls that the provider runs, and empty texts. */
function isForeign(part: HostPart): boolean {
  if (part.type === 'text' && part['text'] === '') return true;
  return !['text', 'reasoning', 'tool-call', 'finish'].includes(part.type) || part['providerExecuted'] === true;
}

async function failing<T>(inner: LanguageModel, work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw toModelError(thrown, inner);
  }
}
