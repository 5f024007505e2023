import { HooklineError } from '../../../errors.ts';
import type { Message, MessagePart } from '../../../events/parts/message.ts';
import type { MediaStore } from '../../../pipeline/run/run.ts';
import type { PromptMessage, PromptPart, SpecificationVersion } from '../language-model.ts';
import { toFilePart } from './to-file-part.ts';
import { toProviderOptions } from './to-provider-options.ts';
import { toToolResultPart } from './to-tool-result-part.ts';

const legalParts: { readonly [role in Message['role']]: readonly MessagePart['type'][] } = {
  system: ['text'],
  user: ['text', 'media'],
  assistant: ['text', 'thinking', 'media', 'toolCall'],
  tool: ['toolResult'],
};

/**
 * Converts messages to the prompt of a specification version. Empty text and messages without content are left out. Consecutive tool messages are
 * merged, because providers require it. Throws `INPUT_INVALID` for a part that its role cannot contain.
 */
export async function toPrompt(
  messages: readonly Message[],
  version: SpecificationVersion,
  mediaStore?: MediaStore,
): Promise<PromptMessage[]> {
  const mapped = await Promise.all(messages.map((message) => toPromptMessage(message, version, mediaStore)));
  return mapped.filter(({ content }) => content.length > 0).reduce(joinToolMessages, []);
}

async function toPromptMessage(
  message: Message,
  version: SpecificationVersion,
  mediaStore?: MediaStore,
): Promise<PromptMessage> {
  const { role, parts } = message;
  const misplaced = parts.find(({ type }) => !legalParts[role].includes(type));
  if (misplaced) {
    throw new HooklineError(
      'INPUT_INVALID',
      `A ${role} message can contain ${legalParts[role].join(', ')}, got a ${misplaced.type} part.`,
    );
  }
  if (role === 'system') return toSystemMessage(message);
  const content = await Promise.all(parts.filter(hasContent).map((part) => toPromptPart(part, version, mediaStore)));
  return { role, content };
}

/** A system message is one text. The metadata of its last part with metadata, such as a cache mark, applies to the whole message. */
function toSystemMessage({ parts }: Message): PromptMessage {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part] : []));
  const metadata = texts.findLast((part) => part.metadata)?.metadata;
  return { role: 'system', content: texts.map(({ text }) => text).join(''), ...toProviderOptions(metadata) };
}

/** Empty text with metadata is kept, because the provider may need the metadata. */
function hasContent(part: MessagePart): boolean {
  return (part.type !== 'text' && part.type !== 'thinking') || part.text !== '' || part.metadata !== undefined;
}

async function toPromptPart(
  part: MessagePart,
  version: SpecificationVersion,
  mediaStore?: MediaStore,
): Promise<PromptPart> {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...toProviderOptions(part.metadata) };
    case 'thinking':
      return { type: 'reasoning', text: part.text, ...toProviderOptions(part.metadata) };
    case 'media':
      return toFilePart(part, version, mediaStore);
    case 'toolCall': {
      const { id, name, input } = part.toolCall;
      return { type: 'tool-call', toolCallId: id, toolName: name, input, ...toProviderOptions(part.metadata) };
    }
    case 'toolResult':
      return toToolResultPart(part, version, mediaStore);
  }
}

function joinToolMessages(joined: PromptMessage[], message: PromptMessage): PromptMessage[] {
  const previous = joined.at(-1);
  if (previous?.role !== 'tool' || message.role !== 'tool') return [...joined, message];
  return [
    ...joined.slice(0, -1),
    { ...previous, content: [...(previous.content as PromptPart[]), ...(message.content as PromptPart[])] },
  ];
}
