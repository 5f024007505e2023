import { auditLogEntry } from './audit-log/audit-log.ts';
import { autoContextEntry } from './auto-context/auto-context-entry.ts';
import { budgetEntry } from './budget/budget-entry.ts';
import { type CatalogueEntry, entryOnDemand } from './catalogue.ts';
import { dangerousConfirmationEntry } from './dangerous-confirmation/dangerous-confirmation.ts';
import { judgeEntry } from './judge/judge-entry.ts';
import { longTermMemoryEntry } from './long-term-memory/long-term-memory.ts';
import { loopGuardEntry } from './loop-guard/loop-guard.ts';
import { modelFallbackEntry } from './model-fallback/model-fallback.ts';
import { modelRetryEntry } from './model-retry/model-retry.ts';
import { monitorEntry } from './monitor/monitor.ts';
import { otelEntry } from './otel/otel.ts';
import { permissionEntry } from './permission/permission-entry.ts';
import { planHintEntry } from './plan-hint/plan-hint.ts';
import { promptHintEntry } from './prompt-hint/prompt-hint.ts';
import { ragEntry } from './rag/rag.ts';
import { rateLimitEntry } from './rate-limit/rate-limit.ts';
import { recorderEntry } from './recorder/run-recorder.ts';
import { securityScanEntry } from './security-scan/security-scan.ts';
import { skillsEntry } from './skills/skills.ts';
import { streamingEntry } from './streaming/streaming.ts';
import { structuredOutputEntry } from './structured-output/structured-output.ts';
import { timingEntry } from './timing/timing.ts';
import { todoEntry } from './todo/todo.ts';
import { toolCacheEntry } from './tool-cache/tool-cache.ts';
import { toolParamsEntry } from './tool-params/tool-params.ts';
import { toolResultLimitEntry } from './tool-result-limit/tool-result-limit.ts';
import { toolRetryEntry } from './tool-retry/tool-retry.ts';
import { toolSelectionEntry } from './tool-selection/tool-selection.ts';
import { toolTimeLimitEntry } from './tool-time-limit/tool-time-limit.ts';
import { webhookEntry } from './webhook/webhook.ts';
import { wordFilterEntry } from './word-filter/word-filter.ts';

/** The catalogue entries of the built-in hooks. The command loads the module of an entry when a configuration uses it. */
export const builtIns: readonly CatalogueEntry[] = Object.freeze([
  entryOnDemand('audit-log', () => auditLogEntry),
  entryOnDemand('auto-context', () => autoContextEntry),
  entryOnDemand('budget', () => budgetEntry),
  entryOnDemand('dangerous-confirmation', () => dangerousConfirmationEntry),
  entryOnDemand('judge', () => judgeEntry),
  entryOnDemand('long-term-memory', () => longTermMemoryEntry),
  entryOnDemand('loop-guard', () => loopGuardEntry),
  entryOnDemand('model-fallback', () => modelFallbackEntry),
  entryOnDemand('model-retry', () => modelRetryEntry),
  entryOnDemand('monitor', () => monitorEntry),
  entryOnDemand('otel', () => otelEntry),
  entryOnDemand('permission', () => permissionEntry),
  entryOnDemand('plan-hint', () => planHintEntry),
  entryOnDemand('prompt-hint', () => promptHintEntry),
  entryOnDemand('rag', () => ragEntry),
  entryOnDemand('rate-limit', () => rateLimitEntry),
  entryOnDemand('recorder', () => recorderEntry),
  entryOnDemand('security-scan', () => securityScanEntry),
  entryOnDemand('skills', () => skillsEntry),
  entryOnDemand('streaming', () => streamingEntry),
  entryOnDemand('structured-output', () => structuredOutputEntry),
  entryOnDemand('timing', () => timingEntry),
  entryOnDemand('todo', () => todoEntry),
  entryOnDemand('tool-cache', () => toolCacheEntry),
  entryOnDemand('tool-params', () => toolParamsEntry),
  entryOnDemand('tool-result-limit', () => toolResultLimitEntry),
  entryOnDemand('tool-retry', () => toolRetryEntry),
  entryOnDemand('tool-selection', () => toolSelectionEntry),
  entryOnDemand('tool-time-limit', () => toolTimeLimitEntry),
  entryOnDemand('webhook', () => webhookEntry),
  entryOnDemand('word-filter', () => wordFilterEntry),
]);
