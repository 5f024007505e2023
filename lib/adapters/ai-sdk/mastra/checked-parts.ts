import { faultOfMembers } from '../../../errors/fault-of-members.ts';
import { HooklineError } from '../../../errors.ts';
import { checkLanguageModel } from '../check-language-model.ts';
import type { LanguageModel } from '../language-model.ts';
import type { MastraTools } from './host-mastra.ts';

/** What an agent is made of, if it is that. */
export function checkedParts(parts: { readonly model: LanguageModel; readonly tools?: MastraTools }): {
  readonly model: LanguageModel;
  readonly tools: MastraTools;
} {
  const fault = faultOfMembers(parts, ['model', 'tools']);
  if (fault !== undefined) throw invalid(`the first argument ${fault}`);
  const { model, tools = {} } = parts;
  if (typeof model !== 'object' || model === null || Array.isArray(model))
    throw invalid(
      "model must be an object, such as openai('gpt-5') of an AI SDK provider: hooks see nothing of what names or functions come to",
    );
  checkLanguageModel(model, 'The model of hookedMastra');
  if (typeof tools !== 'object' || tools === null || Array.isArray(tools))
    throw invalid('tools must be an object of tools by their names, such as { refund }');
  for (const [name, tool] of Object.entries(tools))
    if (typeof tool !== 'object' || tool === null) throw invalid(`tools.${name} is no tool of Mastra`);
  return { model, tools };
}

export function invalid(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `hookedMastra({ model, tools }, pipeline, options): ${why}.`);
}
