import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';

/** Metadata of a part: its id on the wire, and the sub-agent it belongs to. */
export interface PartMetadata {
  readonly hookline: JsonObject;
}

interface TextStart<T extends 'text' | 'reasoning'> {
  readonly type: `${T}-start`;
  readonly id: string;
  readonly providerMetadata?: PartMetadata;
}

interface TextDelta<T extends 'text' | 'reasoning'> {
  readonly type: `${T}-delta`;
  readonly id: string;
  readonly delta: string;
}

interface TextEnd<T extends 'text' | 'reasoning'> {
  readonly type: `${T}-end`;
  readonly id: string;
}

type TextChunk<T extends 'text' | 'reasoning'> = TextStart<T> | TextDelta<T> | TextEnd<T>;

type ToolChunk =
  | {
      readonly type: 'tool-input-start';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly dynamic?: true;
    }
  | { readonly type: 'tool-input-delta'; readonly toolCallId: string; readonly inputTextDelta: string }
  | {
      readonly type: 'tool-input-available';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: JsonValue;
      readonly dynamic?: true;
      readonly providerMetadata?: PartMetadata;
    }
  | { readonly type: 'tool-approval-request'; readonly approvalId: string; readonly toolCallId: string }
  | {
      readonly type: 'tool-output-available';
      readonly toolCallId: string;
      readonly output: JsonValue;
      readonly dynamic?: true;
    }
  | {
      readonly type: 'tool-output-error';
      readonly toolCallId: string;
      readonly errorText: string;
      readonly dynamic?: true;
    }
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string };

/** The finish reason of a message, with the names of the AI SDK. */
export type UiFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

/**
 * The chunks of the AI SDK's UI message stream that Hookline sends. Only types and fields in the strict schemas of `ai` 5.0.0 are used (6.0.0 for
 * approvals, 7 for `reset-step`).
 */
export type UiMessageChunk =
  | { readonly type: 'start'; readonly messageId?: string; readonly messageMetadata?: JsonObject }
  | { readonly type: 'start-step' }
  | { readonly type: 'finish-step' }
  | { readonly type: 'reset-step' }
  | { readonly type: 'finish'; readonly finishReason?: UiFinishReason; readonly messageMetadata?: JsonObject }
  | { readonly type: 'message-metadata'; readonly messageMetadata: JsonObject }
  | { readonly type: 'abort' }
  | { readonly type: 'error'; readonly errorText: string }
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string }
  | TextChunk<'text'>
  | TextChunk<'reasoning'>
  | ToolChunk
  | {
      readonly type: `data-${string}`;
      readonly id?: string;
      readonly data: JsonValue;
      readonly transient?: boolean;
    };
