import type { Message, MessagePart } from '../../events/parts/message.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import type { CountTokens } from './count-tokens.ts';

/** What a message takes for its role and its borders, with most models. */
const PER_MESSAGE = 4;
/** A picture of middle size; nobody can tell without looking at it. */
const PER_MEDIA = 1_000;

/** About how many tokens a message takes in a request. */
export function messageTokens({ parts }: Message, count: CountTokens, model?: string): number {
  return parts.reduce((sum, part) => sum + partTokens(part, count, model), PER_MESSAGE);
}

/** About how many tokens the descriptions of tools take in a request. */
export function toolTokens(tools: readonly ToolDescription[], count: CountTokens, model?: string): number {
  return tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + count(`${name}\n${description}\n${JSON.stringify(inputSchema)}`, model),
    0,
  );
}

function partTokens(part: MessagePart, count: CountTokens, model: string | undefined): number {
  switch (part.type) {
    case 'text':
    case 'thinking':
      return count(part.text, model);
    case 'media':
      return PER_MEDIA;
    case 'toolCall':
      return count(`${part.toolCall.name}\n${JSON.stringify(part.toolCall.input)}`, model);
    case 'toolResult':
      return count(part.result.content, model);
  }
}
