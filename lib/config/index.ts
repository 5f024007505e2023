export type { CompiledConfig, CompiledHook } from './compile-config.ts';
export { configJsonSchema } from './config-json-schema.ts';
export type { ConfigFile, DialectName } from './dialects/dialect.ts';
export type { DocumentKey, DocumentStore, StoredDocument, WriteCondition } from './document-store.ts';
export { type ExplainRequest, type Explanation, explainCall } from './explain-call.ts';
export { explainConfigured } from './explain-configured.ts';
export {
  type ConfigFault,
  type ConfigNotice,
  configError,
  faultsOf,
  MOST_FAULTS,
  showFault,
  showFaults,
  showPath,
} from './fault.ts';
export { type FileStoreOptions, fileStore } from './file-store.ts';
export type { HookLease } from './generation.ts';
export {
  type ConfigReport,
  createHookConfigs,
  type HookConfigs,
  type LayerOwner,
  type SavedConfig,
} from './hook-configs.ts';
export type { HookHost } from './kinds/hook-kind.ts';
export { type HookKinds, hookKinds } from './kinds/hook-kinds.ts';
export {
  type ConfigChange,
  createLiveHooks,
  type LiveHooks,
  type LiveHooksOptions,
  type ReloadResult,
} from './live-hooks.ts';
export { type LoadedConfig, type LoadOptions, loadConfig } from './load-config.ts';
export { memoryStore } from './memory-store.ts';
export { type HookEntry, hookEntrySchema, type NativeConfig, nativeSchema } from './native-schema.ts';
export { reloadOnChange } from './reload-on-change.ts';
export type { ConfigPath, Place } from './source/source.ts';
export { type StoreContractOptions, type StoreContractReport, storeContract } from './store-contract.ts';
export { watchFiles } from './watch-files.ts';
