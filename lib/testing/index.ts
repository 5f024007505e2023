export {
  type TranscriptStoreReport,
  transcriptStoreContract,
} from '../store/transcripts/transcript-store-contract.ts';
export { anEvent } from './an-event.ts';
export type { ContractIssue } from './contract/contract-issues.ts';
export { describeEvent } from './describe-event.ts';
export { type HookContractOptions, type HookContractReport, hookContract } from './hook-contract.ts';
export { type KindContractOptions, type KindContractReport, kindContract } from './kind-contract.ts';
export { bareContract } from './loops/bare-contract.ts';
export type { BareHost, BareScene, BareTurn } from './loops/bare-host.ts';
export { type LoopCheck, loopContract } from './loops/loop-contract.ts';
export type { LoopHost, LoopOutcome, LoopRequest, LoopScene, LoopTool, LoopTurn } from './loops/loop-host.ts';
export type { EventExpectation } from './marbles/expect-events.ts';
export type { ExpectedEvent } from './marbles/expected-event.ts';
export { type MarbleKit, marbles } from './marbles/marbles.ts';
export { type RecordedRun, recordedRun } from './recorded-run.ts';
export { recordedSpec } from './recorded-spec.ts';
export { type Recorder, recorder } from './recorder.ts';
export type { MarbleTurn } from './scripts/marble-source.ts';
export { type ScriptError, type ScriptTurn, scriptSchema } from './scripts/script-schema.ts';
export { type ScriptedModel, type ScriptedModelOptions, scriptedModel } from './scripts/scripted-model.ts';
export {
  type ScriptedCall,
  type ScriptedTool,
  type ScriptedToolOptions,
  scriptedTool,
} from './scripts/scripted-tool.ts';
export { toolCall } from './tool-call.ts';
