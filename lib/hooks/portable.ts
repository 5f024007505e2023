// What needs nothing of Node: bundlers for browsers and edge runtimes get these hooks only.
export type { WordMatch } from '../permission-rules/find-words.ts';
export { type MemoryStateStoreOptions, memoryStateStore } from '../store/state/memory-state-store.ts';
export type { StateChange, StateEntry, StateStore, StoreKey } from '../store/state/state-store.ts';
export type { Answer, AskFunction, Asking, Question, Remember } from './asking/ask-function.ts';
export {
  createInbox,
  type Inbox,
  type InboxAnswer,
  type InboxCall,
  type InboxChange,
  type InboxOutcome,
  type InboxWinner,
} from './asking/inbox.ts';
export { autoContext } from './auto-context/auto-context.ts';
export { type AutoContextOptions, autoContextOptionsSchema } from './auto-context/auto-context-options.ts';
export { budget } from './budget/budget.ts';
export { type BudgetOptions, budgetOptionsSchema } from './budget/budget-options.ts';
export { type Catalogue, type CatalogueEntry, createCatalogue, defineCatalogueEntry } from './catalogue.ts';
export { type HookHost, requirePart } from './hook-host.ts';
export { judge } from './judge/judge.ts';
export type { JudgedText, JudgeFunction, Judgement } from './judge/judge-function.ts';
export { type JudgeOptions, judgeOptionsSchema } from './judge/judge-options.ts';
export { loopGuard } from './loop-guard/loop-guard.ts';
export { type LoopGuardOptions, loopGuardOptionsSchema } from './loop-guard/loop-guard-options.ts';
export {
  type ModelFallbackOptions,
  modelFallback,
  modelFallbackOptionsSchema,
} from './model-fallback/model-fallback.ts';
export {
  type ModelRetryOptions,
  type ModelRetryParts,
  modelRetry,
  modelRetryOptionsSchema,
} from './model-retry/model-retry.ts';
export { type PlanHintOptions, planHint, planHintOptionsSchema } from './plan-hint/plan-hint.ts';
export { type PromptHintOptions, promptHint, promptHintOptionsSchema } from './prompt-hint/prompt-hint.ts';
export { rateLimit } from './rate-limit/rate-limit.ts';
export { type RateLimitOptions, rateLimitOptionsSchema } from './rate-limit/rate-limit-options.ts';
export type { ScanPolicy, ScanSurface } from './scanning/scan-policies.ts';
export { type SecurityScanOptions, securityScan, securityScanOptionsSchema } from './security-scan/security-scan.ts';
export type { AnswerSchema } from './structured-output/answer-schema.ts';
export {
  type AnswerOf,
  type StructuredOutput,
  type StructuredOutputOptions,
  structuredOutput,
  structuredOutputOptionsSchema,
} from './structured-output/structured-output.ts';
export type { DurationSummary } from './timing/durations.ts';
export { type Timing, type TimingSummary, timing } from './timing/timing.ts';
export { type TimingOptions, timingOptionsSchema } from './timing/timing-options.ts';
export { type TodoOptions, todo, todoOptionsSchema } from './todo/todo.ts';
export type { CountTokens } from './tokens/count-tokens.ts';
export { toolCache } from './tool-cache/tool-cache.ts';
export { type ToolCacheOptions, toolCacheOptionsSchema } from './tool-cache/tool-cache-options.ts';
export { type ToolParamsOptions, toolParams, toolParamsOptionsSchema } from './tool-params/tool-params.ts';
export {
  type ToolResultLimitOptions,
  toolResultLimit,
  toolResultLimitOptionsSchema,
} from './tool-result-limit/tool-result-limit.ts';
export {
  type ToolRetryOptions,
  type ToolRetryParts,
  toolRetry,
  toolRetryOptionsSchema,
} from './tool-retry/tool-retry.ts';
export { toolSelection } from './tool-selection/tool-selection.ts';
export { type ToolSelectionOptions, toolSelectionOptionsSchema } from './tool-selection/tool-selection-options.ts';
export {
  type ToolTimeLimitOptions,
  toolTimeLimit,
  toolTimeLimitOptionsSchema,
} from './tool-time-limit/tool-time-limit.ts';
export { type Webhook, webhook } from './webhook/webhook.ts';
export { type WebhookOptions, webhookOptionsSchema } from './webhook/webhook-options.ts';
