import { HooklineError } from '../../errors.ts';
import { type LanguageModel, type SpecificationVersion, specificationVersions } from './language-model.ts';

/**
 * Returns `value` if it is a language model of a known specification version. Throws `INPUT_INVALID` otherwise, with `what` as the name in the
 * message.
 */
export function checkLanguageModel(
  value: unknown,
  what: string,
): LanguageModel & { specificationVersion: SpecificationVersion } {
  const model = value as Partial<LanguageModel> | null | undefined;
  if (typeof model?.doStream !== 'function' || typeof model.specificationVersion !== 'string') {
    throw new HooklineError(
      'INPUT_INVALID',
      `${what} must be a language model of an AI SDK provider, such as \`provider('model-id')\`, got ${kindOf(value)}.`,
    );
  }
  if (!(specificationVersions as readonly string[]).includes(model.specificationVersion)) {
    throw new HooklineError(
      'INPUT_INVALID',
      `${what} implements version ${JSON.stringify(model.specificationVersion)} of the language model specification. ` +
        `Supported versions: ${specificationVersions.join(', ')}.`,
    );
  }
  return model as LanguageModel & { specificationVersion: SpecificationVersion };
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 100))}`;
  if (typeof value === 'function') return 'a function (if it is a provider, call it with a model ID)';
  if (value instanceof Promise) return 'a promise (await it)';
  if (typeof value === 'object' && value !== null) return 'an object without doStream and specificationVersion';
  return String(value);
}
