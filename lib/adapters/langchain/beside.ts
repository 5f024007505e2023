import type { Message, MessagePart } from '../../events/parts/message.ts';
import type { HostBlock, HostInvalidCall, HostMessage } from './host-langchain.ts';

type Members = { readonly [member: string]: unknown };

/** What a provider says beside the content of its answer, in members of its own: thoughts, as blocks. Some say the same in two of them. */
export function thoughtsBeside({ reasoning_content, reasoning, thinking, reasoning_details }: Members): HostBlock[] {
  const texts = new Set([reasoning_content, reasoning, thinking, reasoning_details].map(textIn));
  return [...texts].flatMap((text) => (text === '' ? [] : [{ type: 'reasoning', reasoning: text }]));
}

/** The text of a thought: itself, or what its summaries and details say. */
function textIn(thought: unknown): string {
  if (typeof thought === 'string') return thought;
  if (typeof thought !== 'object' || thought === null) return '';
  if (Array.isArray(thought)) return thought.map(textIn).join('');
  const { text, summary, content } = thought as Members;
  return [text, summary, content].map(textIn).join('');
}

/** Of what a provider says about its answer: what cannot hold a piece of it. */
export const KEPT = [
  ...['model', 'model_name', 'model_provider', 'finish_reason', 'finishReason', 'stop_reason', 'stop_sequence', 'id'],
  ...['service_tier', 'system_fingerprint', 'usage', 'tokenUsage', '__openai_function_call_ids__', '__openai_role__'],
];

/** Members that say nothing to a reader: ids, kinds, and what is signed or encoded. */
const OPAQUE = new Set([
  ...['id', 'call_id', 'type', 'index', 'status', 'format', 'role', 'name', 'data', 'expires_at', 'encrypted_content'],
  ...['signature', 'signatures', 'thought_signature', '__gemini_function_call_thought_signatures__'],
]);

/** Takes out of an answer, which hooks have left as it was, what they have not seen of it: they might have taken something out of that, too. */
export function dropUnseen(message: HostMessage, { parts }: Message): void {
  const { additional_kwargs, response_metadata, invalid_tool_calls = [], tool_call_chunks = [] } = message;
  const isSeen = seenIn(parts);
  // What its host writes it as JSON from has the same object.
  for (const beside of [additional_kwargs, response_metadata])
    for (const name of Object.keys(beside ?? {}))
      if (!isKept(name, beside?.[name], isSeen)) delete (beside as Record<string, unknown>)[name];
  // Inputs that are no JSON are no calls to hooks. Who repairs such calls learns of them.
  const withheld = ({ id, name, type }: HostInvalidCall): HostInvalidCall => ({
    id,
    name,
    type,
    args: '',
    error: WITHHELD,
  });
  const invalid = invalid_tool_calls.map((call) => (stringsIn(call).every(isSeen) ? call : withheld(call)));
  invalid_tool_calls.splice(0, invalid_tool_calls.length, ...invalid);
  tool_call_chunks.splice(
    0,
    tool_call_chunks.length,
    ...tool_call_chunks.filter((one) => stringsIn(one).every(isSeen)),
  );
}

/** Of what a provider says beside a message that hooks have changed: what says nothing, or what they have left. */
export function keptBeside(beside: Members = {}, parts: readonly MessagePart[]): Members {
  const isSeen = seenIn(parts);
  return Object.fromEntries(Object.entries(beside).filter(([name, value]) => isKept(name, value, isSeen)));
}

function isKept(name: string, value: unknown, isSeen: (text: string) => boolean): boolean {
  return KEPT.includes(name) || OPAQUE.has(name) || stringsIn(value).every(isSeen);
}

/** Whether a text is one that hooks have seen, in some form. */
function seenIn(parts: readonly MessagePart[]): (text: string) => boolean {
  const seen = parts.flatMap((part) => {
    if (part.type === 'text' || part.type === 'thinking') return [part.text];
    return part.type === 'toolCall' ? [part.toolCall.name, JSON.stringify(part.toolCall.input)] : [];
  });
  return (text) =>
    [text, compact(text), JSON.stringify(text).slice(1, -1)].some((form) => seen.some((one) => one.includes(form)));
}

const WITHHELD = 'The arguments are no JSON. They are left out, since no hook has seen them.';

/** Inputs of calls, as a provider has written them, in the words in which hooks have seen them. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => (OPAQUE.has(name) ? [] : stringsIn(one)));
}
