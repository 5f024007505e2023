import type { Message, ToolResultPart } from '../../events/parts/message.ts';
import { freezeLasting } from '../../events/values/deep-freeze.ts';
import { cutMiddle } from '../../events/values/keep-ends.ts';
import { sha256Hex } from '../../hashes/sha256.ts';
import type { AutoContextSettings } from './auto-context-options.ts';

/** A tool result that can be read by its id. */
export interface Offload {
  readonly id: string;
  readonly text: string;
}

/** A message with shortened results, and the results to offload. */
export interface Shortened {
  readonly message: Message;
  readonly offloads: readonly Offload[];
}

/** Shortens the tool results of messages. For the same message it returns the same object. */
export function resultShortener(settings: AutoContextSettings): (message: Message) => Shortened {
  const known = new WeakMap<Message, Shortened>();
  return (message) => {
    const found = known.get(message);
    if (found) return found;
    const offloads: Offload[] = [];
    const parts = message.parts.map((part) => {
      if (part.type !== 'toolResult') return part;
      const { content, offload } = shorten(part, settings);
      if (offload) offloads.push(offload);
      return content === part.result.content ? part : { ...part, result: { ...part.result, content } };
    });
    const same = parts.every((part, at) => part === message.parts[at]);
    const made: Shortened = {
      message: same ? message : freezeLasting<Message>({ ...message, parts, origin: settings.name }),
      offloads,
    };
    known.set(message, made);
    return made;
  };
}

function shorten(
  { toolCallId, toolName, result: { content } }: ToolResultPart,
  { keepChars, offload, offloadFrom, toolName: readTool }: AutoContextSettings,
): { readonly content: string; readonly offload?: Offload } {
  const cut = cutMiddle(content, keepChars);
  // A notice can be longer than the text that it replaces.
  if (cut.length >= content.length) return { content };
  if (!offload || toolName === readTool || content.length < offloadFrom) return { content: cut };
  const id = sha256Hex(`${toolCallId}\n${content}`).slice(0, 16);
  const how = `[The full result has ${content.length} characters. To read more, call ${readTool} with the ID ${id}.]`;
  return { content: `${cut}\n${how}`, offload: { id, text: content } };
}
