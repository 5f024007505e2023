import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';

interface ToolState {
  readonly toolCallId: string;
  readonly state: 'input-available' | 'approval-requested' | 'output-available' | 'output-error';
  readonly input: JsonValue;
  readonly output?: JsonValue;
  readonly errorText?: string;
  readonly approval?: { readonly id: string };
}

/** A part of a stored message, in the format of `useChat`. */
export type UiThreadPart =
  | { readonly type: 'step-start' }
  | { readonly type: 'text'; readonly text: string; readonly state: 'done' }
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string }
  | ({ readonly type: 'dynamic-tool'; readonly toolName: string } & ToolState)
  | ({ readonly type: `tool-${string}` } & ToolState)
  | { readonly type: `data-${string}`; readonly id: string; readonly data: JsonObject };

/** A tool call in a stored message. */
export type UiToolPart = Extract<UiThreadPart, ToolState>;

/** A stored message of a thread, in the format of `useChat` (`UIMessage`). */
export interface UiThreadMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly UiThreadPart[];
}

export function isToolPart(part: UiThreadPart): part is UiToolPart {
  return 'toolCallId' in part;
}
