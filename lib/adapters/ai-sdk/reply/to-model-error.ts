import { propertyOf, textOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';
import type { LanguageModel } from '../language-model.ts';

const MAX_TEXT = 1000;

/** Converts an error of a language model to `MODEL_FAILED` with provider and model. `INPUT_INVALID` is kept, because the model did not cause it. */
export function toModelError(error: unknown, model: LanguageModel): HooklineError {
  if (error instanceof HooklineError && error.code === 'INPUT_INVALID') return error;
  const status = propertyOf(error, 'statusCode');
  const http = typeof status === 'number' ? ` (HTTP ${status})` : '';
  const message = `The model ${JSON.stringify(model.modelId)} of ${model.provider} failed${http}: ${textOfError(error)}`;
  const cause = error instanceof HooklineError && error.code === 'MODEL_FAILED' ? error.cause : error;
  return new HooklineError('MODEL_FAILED', message, cause === undefined ? undefined : { cause });
}

function textOfError(error: unknown): string {
  const message = propertyOf(error, 'message');
  return (typeof message === 'string' && message !== '' ? message : textOf(error)).slice(0, MAX_TEXT);
}
