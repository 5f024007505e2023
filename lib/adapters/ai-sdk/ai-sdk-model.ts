import { connectionEnded } from '../../errors/connection-ended.ts';
import type { Model, ModelChunk, ModelRequest } from '../../pipeline/define/model.ts';
import type { MediaStore } from '../../pipeline/run/run.ts';
import { abortable } from './abortable.ts';
import { checkLanguageModel } from './check-language-model.ts';
import { interruptible } from './interruptible.ts';
import type { LanguageModel } from './language-model.ts';
import { readParts } from './prompt/read-parts.ts';
import { mayBeOfMedia, withoutEarlierMedia } from './prompt/without-earlier-media.ts';
import { newBlocks } from './reply/blocks.ts';
import { toModelChunks } from './reply/to-model-chunks.ts';
import { toModelError } from './reply/to-model-error.ts';
import { type ModelChoices, selectModel } from './select-model.ts';
import { toCallOptions } from './to-call-options.ts';

/** Options of `aiSdkModel`. */
export interface AiSdkModelOptions {
  /** Language models that `request.model` can select. Without it, `request.model` is ignored. */
  readonly models?: ModelChoices;
  /** Resolves `media://id` in messages and results. Without it, such media are an error. */
  readonly mediaStore?: MediaStore;
}

/**
 * Adapts a language model of any AI SDK provider (specification v2, v3 or v4) to a `Model`. The stream is read on demand, and ending it early closes
 * the request. A request that the provider rejects is sent once more without the media of earlier prompts, if there are any. Throws `INPUT_INVALID`
 * for any other value. The stream fails with `MODEL_FAILED`.
 */
export function aiSdkModel(languageModel: LanguageModel, options: AiSdkModelOptions = {}): Model {
  const standard = checkLanguageModel(languageModel, 'The first argument of aiSdkModel()');
  const model: Model = (request, { signal }) =>
    interruptible(signal, (own) => answer(selectModel(request.model, standard, options.models), request, options, own));
  return Object.assign(model, { modelId: standard.modelId });
}

async function* answer(
  model: LanguageModel,
  request: ModelRequest,
  options: AiSdkModelOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelChunk, void> {
  let answered = false;
  try {
    for await (const chunk of attempt(model, request, options, signal)) {
      answered = true;
      yield chunk;
    }
  } catch (error) {
    const lighter = answered || signal.aborted || !mayBeOfMedia(error) ? undefined : withoutEarlierMedia(request);
    if (!lighter) throw toModelError(error, model);
    try {
      yield* attempt(model, lighter, options, signal);
    } catch (second) {
      throw toModelError(second, model);
    }
  }
}

async function* attempt(
  model: LanguageModel,
  request: ModelRequest,
  { mediaStore }: AiSdkModelOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelChunk, void> {
  const { specificationVersion } = checkLanguageModel(model, 'The model');
  const callOptions = await abortable(toCallOptions(request, specificationVersion, mediaStore), signal);
  const blocks = newBlocks();
  let finished = false;
  for await (const part of readParts(model, callOptions, signal)) {
    finished ||= part.type === 'finish';
    yield* toModelChunks(part, blocks);
  }
  if (!finished) throw connectionEnded();
}
