/** What adapters of other people's loops are built of: a tool call in two halves, runs, and calls that wait for an answer. */
export { type HeldCall, heldCallSchema, openHeldCall, signHeldCall } from './held/held-call.ts';
export { type HeldCalls, type HeldScope, heldCallsIn, heldCallsInMemory } from './held/held-calls.ts';
export { type JudgedCall, type JudgeOptions, judgeCall } from './judge-call.ts';
export { lifetimeFrom } from './lifetime-from.ts';
export type {
  HostAnswer,
  LoopCall,
  LoopEnding,
  LoopJudgeOptions,
  LoopRun,
  LoopRunOptions,
  Reasoned,
} from './loop-run.ts';
export { type RawResult, rawResult } from './raw-result.ts';
export { RunAborted } from './run-aborted.ts';
export { startLoopRun } from './start-loop-run.ts';
