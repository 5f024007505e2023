import type { Message, MessagePart } from '../../events/parts/message.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import type { CountTokens } from './count-tokens.ts';

/** The tokens of a message's role and delimiters, for most models. */
const PER_MESSAGE = 4;
/** An image of medium size, because its size is not known. */
const PER_MEDIA = 1_000;

/** Estimates the tokens of a message in a request. */
export function messageTokens({ parts }: Message, count: CountTokens, model?: string): number {
  return parts.reduce((sum, part) => sum + partTokens(part, count, model), PER_MESSAGE);
}

/** Estimates the tokens of tool descriptions in a request. */
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
