export type { DocumentKey, DocumentStore, StoredDocument, WriteCondition } from '../store/documents/document-store.ts';
export { type FileStoreOptions, fileStore } from '../store/documents/file-store.ts';
export { memoryStore } from '../store/documents/memory-store.ts';
export {
  type StoreContractOptions,
  type StoreContractReport,
  storeContract,
} from '../store/documents/store-contract.ts';
export type { CompiledConfig, CompiledHook } from './compile-config.ts';
export { configJsonSchema } from './config-json-schema.ts';
export type { ConfigFile, DialectName } from './dialects/dialect.ts';
export { type ExplainRequest, type Explanation, explainCall } from './explain/explain-call.ts';
export { explainConfigured } from './explain/explain-configured.ts';
export {
  type ConfigIssue,
  type ConfigNotice,
  configError,
  formatIssue,
  formatIssues,
  formatPath,
  issuesOf,
  MAX_ISSUES,
} from './issues/config-issue.ts';
export type { HookHost } from './kinds/hook-kind.ts';
export { type HookKinds, hookKinds } from './kinds/hook-kinds.ts';
export {
  type ConfigReport,
  createHookConfigs,
  type HookConfigs,
  type LayerOwner,
  type SavedConfig,
} from './layers/hook-configs.ts';
export type { HookLease } from './live/generation.ts';
export {
  type ConfigChange,
  createLiveHooks,
  type LiveHooks,
  type LiveHooksOptions,
  type ReloadResult,
} from './live/live-hooks.ts';
export { reloadOnChange } from './live/reload-on-change.ts';
export { watchFiles } from './live/watch-files.ts';
export { type LoadedConfig, type LoadOptions, loadConfig, loadConfigAndKinds, loadKinds } from './load-config.ts';
export { type HookEntry, hookEntrySchema, type NativeConfig, nativeSchema } from './native-schema.ts';
export type { ConfigPath, Place } from './source/source.ts';
