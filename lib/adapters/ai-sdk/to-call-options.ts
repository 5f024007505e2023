import type { ToolChoice } from '../../events/parts/model-options.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import type { ModelRequest } from '../../pipeline/define/model.ts';
import type { MediaStore } from '../../pipeline/run/run.ts';
import type { CallOptions, ProviderData, SpecificationVersion } from './language-model.ts';
import { toPrompt } from './prompt/to-prompt.ts';

/** Converts a request to the call options of a specification version. Missing fields stay missing. */
export async function toCallOptions(
  request: ModelRequest,
  version: SpecificationVersion,
  mediaStore?: MediaStore,
): Promise<CallOptions> {
  const { toolChoice, temperature, topP, maxOutputTokens, stop, seed, responseFormat, provider } = request.options;
  const hasTools = request.tools.length > 0;
  return {
    prompt: await toPrompt(request.messages, version, mediaStore),
    // Providers reject a tool choice without tools, so it is dropped with them.
    ...(hasTools && { tools: toTools(request.tools) }),
    ...(hasTools && toolChoice !== undefined && { toolChoice: toToolChoice(toolChoice) }),
    ...withoutUndefined({ temperature, topP, maxOutputTokens, stopSequences: stop && [...stop], seed, responseFormat }),
    ...(provider !== undefined && { providerOptions: provider as ProviderData }),
  };
}

/** Converts a tool choice to the AI SDK's format, which is the same in all versions. */
export function toToolChoice(choice: ToolChoice): { type: string; toolName?: string } {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.tool };
}

/** Converts tool descriptions to the AI SDK's function tools, which are the same in all versions. */
export function toTools(tools: readonly ToolDescription[]): object[] {
  return tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema }));
}
