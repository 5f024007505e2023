import type { ToolChoice } from '../../events/parts/model-options.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import type { ModelRequest } from '../../pipeline/define/model.ts';
import type { MediaStore } from '../../pipeline/run/run.ts';
import type { CallOptions, ProviderData, SpecificationVersion } from './language-model.ts';
import { toPrompt } from './prompt/to-prompt.ts';

/** A request as the call options of a specification version. What the request leaves out stays out. */
export async function toCallOptions(
  request: ModelRequest,
  version: SpecificationVersion,
  mediaStore?: MediaStore,
): Promise<CallOptions> {
  const { toolChoice, temperature, topP, maxOutputTokens, stop, seed, responseFormat, provider } = request.options;
  const hasTools = request.tools.length > 0;
  return {
    prompt: await toPrompt(request.messages, version, mediaStore),
    // Providers refuse a tool choice without tools, so a choice of none goes with them.
    ...(hasTools && { tools: toTools(request.tools) }),
    ...(hasTools && toolChoice !== undefined && { toolChoice: toToolChoice(toolChoice) }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(stop !== undefined && { stopSequences: [...stop] }),
    ...(seed !== undefined && { seed }),
    ...(responseFormat !== undefined && { responseFormat }),
    ...(provider !== undefined && { providerOptions: provider as ProviderData }),
  };
}

/** A tool choice as the AI SDK's, which is the same in all versions. */
export function toToolChoice(choice: ToolChoice): { type: string; toolName?: string } {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.tool };
}

/** Tool descriptions as the AI SDK's function tools, which are the same in all versions. */
export function toTools(tools: readonly ToolDescription[]): object[] {
  return tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema }));
}
