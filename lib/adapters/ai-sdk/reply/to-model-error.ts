import { memberOf, textOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';
import type { LanguageModel } from '../language-model.ts';

const MAX_TEXT = 1000;

/** What a language model threw, as `MODEL_FAILED` that names provider and model. `INPUT_INVALID` passes: it is not the model's fault. */
export function toModelError(error: unknown, model: LanguageModel): HooklineError {
  if (error instanceof HooklineError && error.code === 'INPUT_INVALID') return error;
  const status = memberOf(error, 'statusCode');
  const http = typeof status === 'number' ? ` (HTTP ${status})` : '';
  const message = `The model ${JSON.stringify(model.modelId)} of ${model.provider} failed${http}: ${textOfError(error)}`;
  const cause = error instanceof HooklineError && error.code === 'MODEL_FAILED' ? error.cause : error;
  return new HooklineError('MODEL_FAILED', message, cause === undefined ? undefined : { cause });
}

/** The host knows its own errors: what a model has thrown reaches it as it was. */
export async function asHost<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (thrown) {
    const cause = memberOf(thrown, 'code') === 'MODEL_FAILED' ? memberOf(thrown, 'cause') : undefined;
    throw cause ?? thrown;
  }
}

function textOfError(error: unknown): string {
  const said = memberOf(error, 'message');
  return (typeof said === 'string' && said !== '' ? said : textOf(error)).slice(0, MAX_TEXT);
}
