import { checkFields } from '../../errors/check-fields.ts';
import { HooklineError } from '../../errors.ts';
import { checkLanguageModel } from '../ai-sdk/check-language-model.ts';
import type { LanguageModel } from '../ai-sdk/language-model.ts';
import type { MastraTools } from './host-mastra.ts';

/** Returns the model and the tools of an agent, if they are valid. */
export function checkedParts(parts: { readonly model: LanguageModel; readonly tools?: MastraTools }): {
  readonly model: LanguageModel;
  readonly tools: MastraTools;
} {
  const issue = checkFields(parts, ['model', 'tools']);
  if (issue !== undefined) throw invalid(`the first argument ${issue}`);
  const { model, tools = {} } = parts;
  if (typeof model !== 'object' || model === null || Array.isArray(model))
    throw invalid(
      "model must be an object, such as openai('gpt-5') of an AI SDK provider; hooks cannot wrap model names or functions",
    );
  checkLanguageModel(model, 'The model of hookedMastra');
  if (typeof tools !== 'object' || tools === null || Array.isArray(tools))
    throw invalid('tools must be an object of tools by name, such as { refund }');
  for (const [name, tool] of Object.entries(tools))
    if (typeof tool !== 'object' || tool === null) throw invalid(`tools.${name} is not a Mastra tool`);
  return { model, tools };
}

export function invalid(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `hookedMastra({ model, tools }, pipeline, options): ${why}.`);
}
