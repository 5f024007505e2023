export { type FileStateStoreOptions, fileStateStore } from '../store/state/file-state-store.ts';
export {
  type StateStoreContractOptions,
  type StateStoreContractReport,
  stateStoreContract,
} from '../store/state/state-store-contract.ts';
export { type AskTerminal, askTerminal, createAskTerminal } from './asking/ask-terminal.ts';
export type { Terminal } from './asking/open-terminal.ts';
export { type AuditLogOptions, auditLog, auditLogOptionsSchema } from './audit-log/audit-log.ts';
export type { AuditBreach, AuditVerdict } from './audit-log/audit-verdict.ts';
export { type VerifyAuditOptions, verifyAudit } from './audit-log/verify-audit.ts';
export { builtIns } from './built-ins.ts';
export {
  type DangerousConfirmationOptions,
  dangerousConfirmation,
  dangerousConfirmationOptionsSchema,
} from './dangerous-confirmation/dangerous-confirmation.ts';
export type { MonitorCounts } from './monitor/counts.ts';
export { type Monitor, monitor } from './monitor/monitor.ts';
export { type MonitorOptions, monitorOptionsSchema } from './monitor/monitor-options.ts';
export { permission } from './permission/permission.ts';
export { type PermissionOptions, permissionOptionsSchema } from './permission/permission-options.ts';
export * from './portable.ts';
export { type RecorderOptions, recorderOptionsSchema, runRecorder } from './recorder/run-recorder.ts';
export { type SkillsOptions, skills, skillsOptionsSchema } from './skills/skills.ts';
export type { StreamPiece, StreamSink } from './streaming/stream-piece.ts';
export { streaming } from './streaming/streaming.ts';
export { type StreamingOptions, streamingOptionsSchema } from './streaming/streaming-options.ts';
export { wordFilter } from './word-filter/word-filter.ts';
export { type WordFilterOptions, wordFilterOptionsSchema } from './word-filter/word-filter-options.ts';
