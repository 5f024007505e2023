import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';

/** Fields that every event of AG-UI 1.0 may have. */
export interface AgUiBase {
  readonly metadata?: JsonObject;
  /** The run of the sub-agent that the event belongs to. */
  readonly subagentRunId?: string;
}

/** Usage in tokens, with the field names of AG-UI. */
export interface AgUiUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
}

/** A pending call. The next request answers it by `id`, in `resume`. */
export interface AgUiInterrupt {
  readonly id: string;
  readonly reason: string;
  readonly message?: string;
  readonly toolCallId?: string;
  readonly responseSchema?: JsonObject;
  readonly expiresAt?: string;
  readonly metadata?: JsonObject;
}

/** How a run ended. */
export type AgUiOutcome =
  | { readonly type: 'success'; readonly pendingToolCallIds?: readonly string[] }
  | { readonly type: 'interrupt'; readonly interrupts: readonly AgUiInterrupt[] }
  | { readonly type: 'cancelled' };

/** A call in a message. */
export interface AgUiToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message in the state of an AG-UI client. The client may store further fields with it. */
export interface AgUiMessage {
  readonly id: string;
  readonly role: string;
  readonly content?: JsonValue;
  readonly toolCalls?: readonly AgUiToolCall[];
  readonly toolCallId?: string;
  readonly subagentRunId?: string;
}

type Of<Type extends string, Fields> = AgUiBase & { readonly type: Type } & Readonly<Fields>;

/** The events of AG-UI 1.0 that Hookline sends. */
export type AgUiEvent =
  | Of<'RUN_STARTED', { threadId: string; runId: string; protocolVersion: string }>
  | Of<
      'RUN_FINISHED',
      {
        threadId: string;
        runId: string;
        outcome: AgUiOutcome;
        result?: JsonValue;
        usage?: readonly AgUiUsage[];
      }
    >
  | Of<'RUN_ERROR', { message: string; code?: string; usage?: readonly AgUiUsage[] }>
  | Of<'STEP_STARTED' | 'STEP_FINISHED', { stepName: string }>
  | Of<'TEXT_MESSAGE_START', { messageId: string; role: 'assistant' }>
  | Of<'TEXT_MESSAGE_CONTENT' | 'REASONING_MESSAGE_CONTENT', { messageId: string; delta: string }>
  | Of<'TEXT_MESSAGE_END' | 'REASONING_START' | 'REASONING_MESSAGE_END' | 'REASONING_END', { messageId: string }>
  | Of<'REASONING_MESSAGE_START', { messageId: string; role: 'reasoning' }>
  | Of<'TOOL_CALL_START', { toolCallId: string; toolCallName: string; parentMessageId?: string }>
  | Of<'TOOL_CALL_ARGS', { toolCallId: string; delta: string }>
  | Of<'TOOL_CALL_END', { toolCallId: string }>
  | Of<'TOOL_CALL_RESULT', { messageId: string; toolCallId: string; content: string; role: 'tool' }>
  | Of<'MESSAGES_SNAPSHOT', { messages: readonly AgUiMessage[] }>
  | Of<'ACTIVITY_SNAPSHOT', { messageId: string; activityType: string; content: JsonObject; replace: boolean }>
  | Of<'ACTIVITY_DELTA', { messageId: string; activityType: string; patch: readonly JsonObject[] }>
  | Of<'SUBAGENT_STARTED', { name: string; parentSubagentRunId?: string; parentToolCallId?: string }>
  | Of<'SUBAGENT_FINISHED', { outcome?: { readonly type: 'success' | 'suspended' } }>
  | Of<'SUBAGENT_ERROR', { message: string }>
  | Of<'CUSTOM', { name: string; value: JsonValue }>;
