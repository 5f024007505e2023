import type { RunWatcher } from '../agent/run-watcher.ts';
import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import type { FinishReason } from '../events/parts/finish-reason.ts';
import type { Message } from '../events/parts/message.ts';
import type { ToolCall } from '../events/parts/tool-call.ts';
import type { Usage } from '../events/parts/usage.ts';
import type { Model } from '../pipeline/define/model.ts';
import type { Tool } from '../pipeline/define/tool.ts';
import type { CallEnding, ReasoningInput, Run, RunOptions } from '../pipeline/run/run.ts';
import type { JudgedCall } from './judge-call.ts';
import type { PendingCallRecord } from './pending/pending-call-record.ts';
import type { PendingCallStore } from './pending/pending-call-store.ts';

/** Options of a run of a framework's loop. */
export interface LoopRunOptions
  extends Pick<
    RunOptions,
    'agent' | 'sessionId' | 'userId' | 'metadata' | 'deliver' | 'mediaStore' | 'transcript' | 'resumedFrom' | 'dryRun'
  > {
  /** Cancels the run. All of its methods then reject with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Receives all settled events of the run as they happen, chunks included. */
  readonly onEvent?: (event: SettledEvent) => void;
  /**
   * Stores suspended calls. An approval then counts with the stored call. Without a store, it counts only if the evaluated call is the one that was
   * shown.
   */
  readonly pendingCalls?: PendingCallStore;
  /** Shows the run, for example on the page of `createRuns`. Its calls are answered where the framework asks. */
  readonly runs?: RunWatcher;
  /** The pending call that the run resumes. Without an answer to it, it stays pending if the hook that asked is missing. */
  readonly resumes?: PendingCallRecord;
}

/** Options of an adapter for the runs of its host: the agent name in events, and settings for all runs. */
export interface HostedRunOptions extends Omit<LoopRunOptions, 'signal' | 'resumes'> {
  /**
   * If true, text is shown only after it has settled. Streams then contain the message as postReasoning settled it, and nothing of a rejected one.
   */
  readonly buffer?: boolean;
}

/** The answer to a pending call. */
export interface HostAnswer {
  readonly approved: boolean;
  readonly reason?: string;
  /** The input to run instead of the shown one. */
  readonly input?: ToolCall['input'];
  /** The call that it answers. In a run with `pendingCalls`, it must be the object that `take` returned, and it counts once. */
  readonly pending?: PendingCallRecord;
}

/** The result of a model step. */
export interface ModelStepResult {
  /** The settled message. Run its calls. */
  readonly message: Message;
  readonly finishReason: FinishReason;
  readonly usage: Usage | undefined;
  /** True if a hook ended the run with this message. Send no further request and run no call. */
  readonly finished: boolean;
}

/**
 * A run of a framework's loop, with hooks around its model requests and tool calls. Call `begin` first and `end` last. Each method rejects with
 * `RunAborted` if a hook aborts, with the error if the run fails, and with the signal's reason if it is cancelled. From then on, all methods reject.
 */
export interface LoopRun {
  readonly run: Run;
  /** Aborts when the loop must stop: after an abort, a cancel, or a failure of anything but the model. The reason is the error. */
  readonly signal: AbortSignal;
  /** True if a hook asked to end the run. Send no further model request. */
  readonly finishing: boolean;
  /** Emits preCall and resolves with the settled messages. If `answer` is set, a hook responded instead of the loop. */
  begin(messages: readonly Message[]): Promise<{ readonly messages: readonly Message[]; readonly answer?: Message }>;
  /**
   * Sends a model request, and repeats it if a hook requires it. `onChunk` receives chunks that may be shown. Calls that have not run are closed as
   * skipped. If the model fails, it rejects with that error and may be called again: each attempt is a model step. A run whose last attempt failed
   * has failed.
   */
  reason(
    request: ReasoningInput,
    model: Model,
    onChunk?: (chunk: EventOf<'reasoningChunk'>) => void,
  ): Promise<ModelStepResult>;
  /**
   * Evaluates a call, once in a run unless it is suspended. A suspended call is stored in `pendingCalls`. Rejects with `INPUT_INVALID` for a
   * repeated call.
   */
  judge(call: ToolCall, tools: readonly Tool[], options?: LoopJudgeOptions): Promise<LoopCall>;
  /**
   * Emits postCall, once. Later endings are ignored. Open calls are closed. Without `ending`, the outcome follows from the run. Resolves with
   * `undefined` if the run never started.
   */
  end(ending?: LoopEnding): Promise<EventOf<'postCall'> | undefined>;
}

/** Options for the evaluation of a call. */
export interface LoopJudgeOptions {
  readonly answer?: HostAnswer;
  /** Why the host cannot ask for approval. A call that an approver suspends is then denied. */
  readonly unasked?: string;
  /** Ends only this call. */
  readonly signal?: AbortSignal;
  /** Receives progress of the tool that may be shown. */
  readonly onChunk?: (chunk: EventOf<'actingChunk'>) => void;
}

/** An evaluated call of a loop. `execute` rejects if the run must stop. */
export interface LoopCall extends JudgedCall {
  /** The pending call of a suspended call. It is already stored if the run has a store. The host can also sign and carry it. */
  readonly pending?: PendingCallRecord;
}

/** How a loop ended, as the host reports it. */
export type LoopEnding = Partial<Pick<CallEnding, 'outcome' | 'message' | 'usage'>> & {
  /** The error that ended the loop. */
  readonly error?: unknown;
};
