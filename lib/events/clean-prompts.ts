import type { HookEvent } from './hook-event.ts';
import type { Message } from './parts/message.ts';
import type { RunInfo } from './parts/run-info.ts';
import type { JsonObject, JsonValue } from './values/json-value.ts';
import { processWide } from './values/process-wide.ts';

type Clean = (message: Message) => Message;

const cleaners = processWide('promptCleaners', () => new WeakMap<RunInfo, Clean>());

/** Stores how the hooks of a run redact texts. */
export function keepCleaner(run: RunInfo, redact: (text: string) => string): void {
  const known = new WeakMap<Message, Message>();
  cleaners.set(run, (message) => {
    const clean = known.get(message) ?? cleanPrompt(message, redact);
    known.set(message, clean);
    return clean;
  });
}

/**
 * Returns an event for storage outside of hooks: prompts without secrets, also in a snapshot. A redacting hook may only report a secret of a prompt,
 * because the model needs it, but it must not be stored. Without such hooks the event is returned unchanged.
 */
export function withCleanPrompts<E extends HookEvent>(event: E): E {
  const { type } = event;
  if (type !== 'preCall' && type !== 'preReasoning' && type !== 'postCall') return event;
  const clean = cleaners.get(event.run);
  if (!clean) return event;
  if (event.type !== 'postCall') return { ...event, messages: event.messages.map(clean) };
  return event.snapshot === undefined ? event : { ...event, snapshot: cleanSnapshot(event.snapshot, clean) };
}

/** Returns the conversation of a snapshot, including nested runs. */
function cleanSnapshot(snapshot: JsonObject, clean: Clean): JsonObject {
  const { transcript, steering, pending } = snapshot;
  const list = (messages: JsonValue) => (messages as unknown as Message[]).map(clean) as unknown as JsonValue;
  const calls = Array.isArray(pending) ? (pending as JsonObject[]) : [];
  return {
    ...snapshot,
    ...(Array.isArray(transcript) && { transcript: list(transcript) }),
    ...(Array.isArray(steering) && { steering: list(steering) }),
    pending: calls.map((call) =>
      call['child'] ? { ...call, child: cleanSnapshot(call['child'] as JsonObject, clean) } : call,
    ),
  };
}

/** Returns a message for use outside of hooks: a prompt without secrets, any other message unchanged. */
export function cleanPrompt(message: Message, redact: (text: string) => string): Message {
  if (message.role !== 'user' && message.role !== 'system') return message;
  const parts = message.parts.map((part) => ('text' in part ? { ...part, text: redact(part.text) } : part));
  return { ...message, parts };
}
