import type { Message, MessagePart } from '../../events/parts/message.ts';
import type { HostBlock, HostInvalidCall, HostMessage } from './host-langchain.ts';

type Fields = { readonly [field: string]: unknown };

/** Returns thoughts from provider-specific fields, as blocks. Some providers repeat a thought in two fields. */
export function reasoningFields({ reasoning_content, reasoning, thinking, reasoning_details }: Fields): HostBlock[] {
  const texts = new Set([reasoning_content, reasoning, thinking, reasoning_details].map(textIn));
  return [...texts].flatMap((text) => (text === '' ? [] : [{ type: 'reasoning', reasoning: text }]));
}

/** Returns the text of a thought, or of its summaries and details. */
function textIn(thought: unknown): string {
  if (typeof thought === 'string') return thought;
  if (typeof thought !== 'object' || thought === null) return '';
  if (Array.isArray(thought)) return thought.map(textIn).join('');
  const { text, summary, content } = thought as Fields;
  return [text, summary, content].map(textIn).join('');
}

/** Response fields that cannot contain text of the reply. */
export const KEPT = [
  ...['model', 'model_name', 'model_provider', 'finish_reason', 'finishReason', 'stop_reason', 'stop_sequence', 'id'],
  ...['service_tier', 'system_fingerprint', 'usage', 'tokenUsage', '__openai_function_call_ids__', '__openai_role__'],
];

/** Fields without readable text: ids, kinds, and signed or encoded values. */
const OPAQUE = new Set([
  ...['id', 'call_id', 'type', 'index', 'status', 'format', 'role', 'name', 'data', 'expires_at', 'encrypted_content'],
  ...['signature', 'signatures', 'thought_signature', '__gemini_function_call_thought_signatures__'],
]);

/** Removes fields that no hook saw from an unchanged reply. A hook might have redacted them. */
export function dropUnseen(message: HostMessage, { parts }: Message): void {
  const { additional_kwargs, response_metadata, invalid_tool_calls = [], tool_call_chunks = [] } = message;
  const isSeen = seenIn(parts);
  // The objects are changed in place, because LangChain also serializes them.
  for (const fields of [additional_kwargs, response_metadata])
    for (const name of Object.keys(fields ?? {}))
      if (!isKept(name, fields?.[name], isSeen)) delete (fields as Record<string, unknown>)[name];
  // Hooks do not see calls whose input is not valid JSON. Code that repairs such calls still receives them, without their input.
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

/** Returns the provider-specific fields of a changed message that have no text, or only text that hooks left unchanged. */
export function keepFields(fields: Fields = {}, parts: readonly MessagePart[]): Fields {
  const isSeen = seenIn(parts);
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => isKept(name, value, isSeen)));
}

function isKept(name: string, value: unknown, isSeen: (text: string) => boolean): boolean {
  return KEPT.includes(name) || OPAQUE.has(name) || stringsIn(value).every(isSeen);
}

/** Returns a function that checks if a text is part of what hooks saw, in any form. */
function seenIn(parts: readonly MessagePart[]): (text: string) => boolean {
  const seen = parts.flatMap((part) => {
    if (part.type === 'text' || part.type === 'thinking') return [part.text];
    return part.type === 'toolCall' ? [part.toolCall.name, JSON.stringify(part.toolCall.input)] : [];
  });
  return (text) =>
    [text, compact(text), JSON.stringify(text).slice(1, -1)].some((form) => seen.some((one) => one.includes(form)));
}

const WITHHELD = 'The arguments are not JSON. They are omitted, because no hook has judged them.';

/** Normalizes the input of a call to the form in which hooks saw it. */
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
