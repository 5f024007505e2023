import { HooklineError } from '../../errors.ts';
import { checkLanguageModel } from './check-language-model.ts';
import type { LanguageModel } from './language-model.ts';

/** Language models, by the id that a request selects. */
export type ModelChoices = { readonly [id: string]: LanguageModel } | ((id: string) => LanguageModel | undefined);

/**
 * Returns the language model with `id`. It is `standard` without `choices`, without an id, or for the id of `standard`. Throws `INPUT_INVALID` for
 * an id that `choices` does not contain.
 */
export function selectModel(
  id: string | undefined,
  standard: LanguageModel,
  choices: ModelChoices | undefined,
): LanguageModel {
  if (!choices || id === undefined) return standard;
  const chosen = typeof choices === 'function' ? choices(id) : Object.hasOwn(choices, id) ? choices[id] : undefined;
  if (chosen) return checkLanguageModel(chosen, `The model ${JSON.stringify(id)} of options.models`);
  if (id === standard.modelId) return standard;
  const known =
    typeof choices === 'function'
      ? ''
      : ` Available models: ${[standard.modelId, ...Object.keys(choices)].join(', ')}.`;
  throw new HooklineError(
    'INPUT_INVALID',
    `The request names the model ${JSON.stringify(id)}, which options.models does not contain.${known}`,
  );
}
