import type { HookEvent } from './hook-event.ts';
import type { Message } from './parts/message.ts';
import type { RunInfo } from './parts/run-info.ts';
import type { JsonObject, JsonValue } from './values/json-value.ts';

type Clean = (message: Message) => Message;

/** Shared by all copies of this module in a process: a server may be bundled with one of its own. */
const cleaners: unique symbol = Symbol.for('hookline.promptCleaners');
const shared = globalThis as { [cleaners]?: WeakMap<RunInfo, Clean> };

/** Remembers how the hooks of a run take secrets out of texts. */
export function keepCleaner(run: RunInfo, redact: (text: string) => string): void {
  const known = new WeakMap<Message, Message>();
  shared[cleaners] ??= new WeakMap();
  shared[cleaners].set(run, (message) => {
    const clean = known.get(message) ?? cleanPrompt(message, redact);
    known.set(message, clean);
    return clean;
  });
}

/**
 * An event as others than the hooks may keep it: prompts without secrets, in a snapshot, too. A hook that redacts may only report what a
 * prompt holds, since the model is to have it; that is no reason to store it. Without such hooks it is the event itself.
 */
export function withCleanPrompts<E extends HookEvent>(event: E): E {
  const { type } = event;
  if (type !== 'preCall' && type !== 'preReasoning' && type !== 'postCall') return event;
  const clean = shared[cleaners]?.get(event.run);
  if (!clean) return event;
  if (event.type !== 'postCall') return { ...event, messages: event.messages.map(clean) };
  return event.snapshot === undefined ? event : { ...event, snapshot: cleanSnapshot(event.snapshot, clean) };
}

/** The conversation of a snapshot, those of nested runs included. */
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

/** A message as others than the hooks may see it: a prompt without secrets, any other as it is. */
export function cleanPrompt(message: Message, redact: (text: string) => string): Message {
  if (message.role !== 'user' && message.role !== 'system') return message;
  const parts = message.parts.map((part) => ('text' in part ? { ...part, text: redact(part.text) } : part));
  return { ...message, parts };
}
