export { type Accumulated, accumulate } from './agent/accumulate.ts';
export type { Agent, AgentInput, AgentOptions, AgentRunOptions } from './agent/agent.ts';
export { type AgentToolOptions, agentTool } from './agent/agent-tool.ts';
export type { ControlOptions, Interrupt } from './agent/control.ts';
export { createAgent } from './agent/create-agent.ts';
export { memoryTranscript } from './agent/memory-transcript.ts';
export { openSnapshot, signSnapshot } from './agent/sign-snapshot.ts';
export {
  type Answer,
  type Answers,
  answerSchema,
  type PendingCall,
  pendingCallSchema,
  pendingCalls,
  SNAPSHOT_VERSION,
  type Snapshot,
  snapshotSchema,
} from './agent/snapshot.ts';
export { toAsyncIterable } from './agent/to-async-iterable.ts';
export type { TranscriptStore } from './agent/transcript-store.ts';
export { type ErrorCode, errorCodes, HooklineError } from './errors.ts';
export { abort } from './events/abort.ts';
export { type ActingChunk, actingChunkSchema } from './events/acting-chunk.ts';
export type { Abort, DecisionAction } from './events/decision.ts';
export { strictness } from './events/decision.ts';
export { deny } from './events/deny.ts';
export {
  type ActingError,
  type CallError,
  type ErrorEvent,
  errorEventSchema,
  type ReasoningError,
} from './events/error-event.ts';
export { type ErrorInfo, errorInfoSchema, toErrorInfo } from './events/error-info.ts';
export { finish } from './events/finish.ts';
export {
  type ChunkEvent,
  EVENT_FORMAT_VERSION,
  type EventOf,
  type EventType,
  type GateEvent,
  type HookEvent,
  hookEventSchema,
  type Settled,
} from './events/hook-event.ts';
export { type JsonObject, type JsonValue, jsonObjectSchema, jsonValueSchema } from './events/json-value.ts';
export { type ChangeableKey, type ChangesOf, type EventDeciding, eventTypes, legal } from './events/legal.ts';
export {
  type MediaPart,
  type Message,
  type MessageInput,
  type MessagePart,
  type MessageRole,
  messagePartSchema,
  messageSchema,
  type TextPart,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
} from './events/message.ts';
export {
  assistantMessage,
  systemMessage,
  textMessage,
  textOf,
  toMessage,
  toolCallsOf,
  userMessage,
} from './events/messages.ts';
export { type ModelOptions, modelOptionsSchema, type ToolChoice, toolChoiceSchema } from './events/model-options.ts';
export { modify } from './events/modify.ts';
export { type Note, type NoteInput, noteSchema } from './events/note.ts';
export { type ActingOutcome, actingOutcomeSchema, type PostActing, postActingSchema } from './events/post-acting.ts';
export { type CallOutcome, callOutcomeSchema, type PostCall, postCallSchema } from './events/post-call.ts';
export {
  type FinishReason,
  finishReasonSchema,
  type PostReasoning,
  postReasoningSchema,
} from './events/post-reasoning.ts';
export { type PreActing, preActingSchema } from './events/pre-acting.ts';
export { type PreCall, preCallSchema } from './events/pre-call.ts';
export { type PreReasoning, preReasoningSchema } from './events/pre-reasoning.ts';
export { type ReasoningChunk, reasoningChunkSchema } from './events/reasoning-chunk.ts';
export { respond } from './events/respond.ts';
export { retry } from './events/retry.ts';
export { type RunInfo, runInfoSchema } from './events/run-info.ts';
export { toJson } from './events/to-json.ts';
export { type ToolCall, toolCallSchema } from './events/tool-call.ts';
export {
  type Permission,
  permissionSchema,
  type ToolDescription,
  toolDescriptionSchema,
} from './events/tool-description.ts';
export {
  errorResult,
  type MediaReference,
  type ToolResult,
  type ToolResultInput,
  toolResult,
  toolResultSchema,
} from './events/tool-result.ts';
export { addUsage, type Usage, usageSchema } from './events/usage.ts';
export type { Ask, AskOptions, AskReply, AskRequest } from './pipeline/ask.ts';
export type { ChildAgent, ChildOptions, ParentLink, RunChild } from './pipeline/child-agent.ts';
export { createPipeline } from './pipeline/create-pipeline.ts';
export { defineHook, isHook } from './pipeline/define-hook.ts';
export type {
  AnyHandler,
  Approver,
  Arounds,
  ChunkReturn,
  FailurePolicy,
  GateReturn,
  Handler,
  HandlerReturn,
  Handlers,
  Hook,
  HookDefinition,
  HookMatch,
  Observer,
  Redact,
  Throughs,
} from './pipeline/hook.ts';
export type { HookContext } from './pipeline/hook-context.ts';
export { HookPriority } from './pipeline/hook-priority.ts';
export type { StandardSchema } from './pipeline/input-schema/standard-schema.ts';
export type { Lifetime } from './pipeline/lifetime.ts';
export type { Logger, LogMethod } from './pipeline/logger.ts';
export type { MediaStore, StoredMedia } from './pipeline/media-store.ts';
export {
  type Model,
  type ModelChunk,
  type ModelContext,
  type ModelRequest,
  modelChunkSchema,
  modelRequestSchema,
} from './pipeline/model.ts';
export type { Overflow, Pipeline, PipelineOptions } from './pipeline/pipeline.ts';
export type {
  ActingOptions,
  CallAnswer,
  CallEnding,
  ChildResume,
  Delivery,
  ReasoningInput,
  Run,
  RunOptions,
  SuspendedChild,
} from './pipeline/run.ts';
export { defineState, type StateCell, type StateKey } from './pipeline/state.ts';
export {
  defineTool,
  describeTool,
  type Tool,
  type ToolContext,
  type ToolItem,
  type ToolOutput,
  type ToolReturn,
} from './pipeline/tool.ts';
export type { TraceReport, TraceStep } from './pipeline/trace.ts';
export type { SealOptions } from './pipeline/vault.ts';
export { approved, denied, suspended, type Verdict } from './pipeline/verdict.ts';
