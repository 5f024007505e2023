export { type Accumulated, accumulate } from './agent/accumulate.ts';
export type { Agent, AgentInput, AgentOptions, AgentRunOptions, RecoverOptions } from './agent/agent.ts';
export { type AgentToolOptions, agentTool } from './agent/agent-tool.ts';
export type { ControlOptions, Interrupt } from './agent/control.ts';
export { createAgent } from './agent/create-agent.ts';
export type { JournalItem } from './agent/recover/read-journal.ts';
export type { AnsweredRun, RunWatcher, WatchedRuns, WatchOptions } from './agent/run-watcher.ts';
export { openSnapshot, signSnapshot } from './agent/suspend/sign-snapshot.ts';
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
} from './agent/suspend/snapshot.ts';
export { toAsyncIterable } from './agent/to-async-iterable.ts';
export { memoryTranscript } from './agent/transcript/memory-transcript.ts';
export { type ErrorCode, errorCodes, HooklineError } from './errors.ts';
export { type ActingChunk, actingChunkSchema } from './events/acting-chunk.ts';
export { abort } from './events/decisions/abort.ts';
export { type Abort, type DecisionAction, decisionStrictness } from './events/decisions/decision.ts';
export { deny } from './events/decisions/deny.ts';
export {
  type ChangeableKey,
  type ChangesOf,
  type EventDeciding,
  eventRules,
  eventTypes,
} from './events/decisions/event-rules.ts';
export { finish } from './events/decisions/finish.ts';
export { modify } from './events/decisions/modify.ts';
export { type Note, type NoteInput, noteSchema } from './events/decisions/note.ts';
export { respond } from './events/decisions/respond.ts';
export { retry } from './events/decisions/retry.ts';
export {
  type ActingError,
  type CallError,
  type ErrorEvent,
  errorEventSchema,
  type ReasoningError,
} from './events/error-event.ts';
export {
  type ChunkEvent,
  EVENT_FORMAT_VERSION,
  type EventOf,
  type EventType,
  type GateEvent,
  type HookEvent,
  hookEventSchema,
  type SettledEvent,
} from './events/hook-event.ts';
export { type CallOutcome, callOutcomeSchema } from './events/parts/call-outcome.ts';
export { type ErrorInfo, errorInfoSchema, toErrorInfo } from './events/parts/error-info.ts';
export { type FinishReason, finishReasonSchema } from './events/parts/finish-reason.ts';
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
} from './events/parts/message.ts';
export {
  assistantMessage,
  systemMessage,
  textMessage,
  textOf,
  toMessage,
  toolCallsOf,
  userMessage,
} from './events/parts/messages.ts';
export {
  type ModelOptions,
  modelOptionsSchema,
  type ToolChoice,
  toolChoiceSchema,
} from './events/parts/model-options.ts';
export { type RunInfo, runInfoSchema } from './events/parts/run-info.ts';
export { type ToolCall, toolCallSchema } from './events/parts/tool-call.ts';
export {
  type Permission,
  permissionSchema,
  type ToolDescription,
  toolDescriptionSchema,
} from './events/parts/tool-description.ts';
export {
  errorResult,
  type MediaReference,
  type ToolResult,
  type ToolResultInput,
  toolResult,
  toolResultSchema,
} from './events/parts/tool-result.ts';
export { addUsage, type Usage, usageSchema } from './events/parts/usage.ts';
export { type ActingOutcome, actingOutcomeSchema, type PostActing, postActingSchema } from './events/post-acting.ts';
export { type PostCall, postCallSchema } from './events/post-call.ts';
export { type PostReasoning, postReasoningSchema } from './events/post-reasoning.ts';
export { type PreActing, preActingSchema } from './events/pre-acting.ts';
export { type PreCall, preCallSchema } from './events/pre-call.ts';
export { type PreReasoning, preReasoningSchema } from './events/pre-reasoning.ts';
export { type ReasoningChunk, reasoningChunkSchema } from './events/reasoning-chunk.ts';
export { type JsonObject, type JsonValue, jsonObjectSchema, jsonValueSchema } from './events/values/json-value.ts';
export { toJson } from './events/values/to-json.ts';
export { createPipeline, type Pipeline } from './pipeline/create-pipeline.ts';
export { defineHook, isHook } from './pipeline/define/define-hook.ts';
export { type HoldBackScan, holdBack } from './pipeline/define/hold-back.ts';
export {
  type AnyHandler,
  type Approver,
  type AskNext,
  type ChunkOperators,
  type ChunkReturn,
  type FailurePolicy,
  type GateReturn,
  type Handler,
  type HandlerReturn,
  type Handlers,
  type Hook,
  type HookDefinition,
  type HookMatch,
  HookPriority,
  type ObserveHandler,
  type Redact,
  type TraceChange,
  type TraceStep,
  type Tracing,
  type Verdict,
  verdict,
  type Wrappers,
} from './pipeline/define/hook.ts';
export type {
  AnyPipeline,
  Ask,
  AskOptions,
  AskReply,
  AskRequest,
  ChildAgent,
  ChildOptions,
  HookContext,
  ParentLink,
  RunChild,
  SealOptions,
} from './pipeline/define/hook-context.ts';
export {
  type Model,
  type ModelChunk,
  type ModelContext,
  type ModelRequest,
  modelChunkSchema,
  modelRequestSchema,
} from './pipeline/define/model.ts';
export { defineState, type StateCell, type StateKey } from './pipeline/define/state.ts';
export {
  defineTool,
  describeTool,
  type Tool,
  type ToolContext,
  type ToolItem,
  type ToolOutput,
  type ToolReturn,
} from './pipeline/define/tool.ts';
export type { Lifetime } from './pipeline/flow/lifetime.ts';
export type { Logger, LogMethod } from './pipeline/logger.ts';
export type {
  ActingOptions,
  CallAnswer,
  CallEnding,
  ChildResume,
  Delivery,
  MediaStore,
  ReasoningInput,
  Run,
  RunOptions,
  StoredMedia,
  SuspendedChild,
} from './pipeline/run/run.ts';
export type { Overflow, PipelineOptions } from './pipeline/settings.ts';
export type { TraceReport } from './pipeline/trace/tracer.ts';
export type { StandardSchema } from './schemas/input-schema.ts';
export type { TranscriptStore } from './store/transcripts/transcript-store.ts';
