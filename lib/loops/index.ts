/** Building blocks for framework adapters: a tool call in two halves, runs, and pending calls. */

export { type JudgedCall, type JudgeOptions, judgeCall } from './judge-call.ts';
export { lifetimeFrom } from './lifetime-from.ts';
export type {
  HostAnswer,
  LoopCall,
  LoopEnding,
  LoopJudgeOptions,
  LoopRun,
  LoopRunOptions,
  ModelStepResult,
} from './loop-run.ts';
export {
  openPendingCall,
  type PendingCallRecord,
  pendingCallRecordSchema,
  signPendingCall,
} from './pending/pending-call-record.ts';
export {
  memoryPendingCallStore,
  type PendingCallScope,
  type PendingCallStore,
  pendingCallStore,
} from './pending/pending-call-store.ts';
export { type RawResult, rawResult } from './raw-result.ts';
export { RunAborted } from './run-aborted.ts';
export { startLoopRun } from './start-loop-run.ts';
