import { HooklineError } from '../../errors.ts';
import { checkLanguageModel } from './check-language-model.ts';
import type { LanguageModel } from './language-model.ts';

/** Language models by the id that a request names them with. */
export type ModelChoices = { readonly [id: string]: LanguageModel } | ((id: string) => LanguageModel | undefined);

/**
 * The language model that `id` names. Without `choices`, without an id and for its own id that is `standard`; an id that
 * `choices` does not know throws `INPUT_INVALID`.
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
    typeof choices === 'function' ? '' : ` Known are ${[standard.modelId, ...Object.keys(choices)].join(', ')}.`;
  throw new HooklineError(
    'INPUT_INVALID',
    `The request names the model ${JSON.stringify(id)}, which options.models does not have.${known}`,
  );
}
