import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import type { ToolCall } from '../events/parts/tool-call.ts';
import type { Usage } from '../events/parts/usage.ts';
import type { FinishReason } from '../events/post-reasoning.ts';
import type { Model } from '../pipeline/define/model.ts';
import type { Tool } from '../pipeline/define/tool.ts';
import type { CallEnding, ReasoningInput, Run, RunOptions } from '../pipeline/run/run.ts';
import type { HeldCall } from './held/held-call.ts';
import type { HeldCalls } from './held/held-calls.ts';
import type { JudgedCall } from './judge-call.ts';

/** Who runs a loop that is not ours, and what it has. */
export interface LoopRunOptions
  extends Pick<
    RunOptions,
    'agent' | 'sessionId' | 'userId' | 'metadata' | 'deliver' | 'mediaStore' | 'transcript' | 'resumedFrom'
  > {
  /** Cancels the run, which rejects with its reason from then on. */
  readonly signal?: AbortSignal;
  /** Hears all events of the run that leave it, chunks included, as they happen. */
  readonly onEvent?: (event: SettledEvent) => void;
  /** Where calls wait that an approver suspends; a yes then counts with the kept call. Without it, a yes counts only where the judged call is the one that was shown. */
  readonly held?: HeldCalls;
  /** The held call that the run resumes. Without an answer to it, it stays pending if the hook that asked is missing. */
  readonly resumes?: HeldCall;
}

/** What somebody has said to a call that waited. */
export interface HostAnswer {
  readonly approved: boolean;
  readonly reason?: string;
  /** An input to run instead of the one that was shown. */
  readonly input?: ToolCall['input'];
  /** The call that it answers. In a run with `held`, it counts once, and only if it came from `held.take` and is the very object. */
  readonly held?: HeldCall;
}

/** What one request to the model has come to. */
export interface Reasoned {
  /** Its calls are those to be run. */
  readonly message: Message;
  readonly finishReason: FinishReason;
  readonly usage: Usage | undefined;
  /** A hook has ended the run with this message: ask and run nothing more. */
  readonly finished: boolean;
}

/**
 * One run of a loop that is not ours: what its model and its tools are put through. `begin` comes first, `end` last. Each method rejects with
 * `RunAborted` where a hook aborts, with what the run has failed of, or where it was cancelled with the reason of its signal; from then on all of them do.
 */
export interface LoopRun {
  readonly run: Run;
  /** Aborts when the loop is to stop: by an abort, a cancel or a failure, other than of the model. Its reason is the error. */
  readonly signal: AbortSignal;
  /** Whether a hook has asked to end the run: the loop should ask the model no more. */
  readonly finishing: boolean;
  /** preCall: the messages as they settled; with `answer`, a hook has answered in the loop's place. */
  begin(messages: readonly Message[]): Promise<{ readonly messages: readonly Message[]; readonly answer?: Message }>;
  /**
   * Asks the model, again where a hook wants it; `onChunk` gets what may be shown. Calls that were not run by then are closed as skipped. Where the
   * model fails it rejects with that, and may be called again: each attempt is a reasoning of its own. A run that ends without one that succeeds has failed.
   */
  reason(
    request: ReasoningInput,
    model: Model,
    onChunk?: (chunk: EventOf<'reasoningChunk'>) => void,
  ): Promise<Reasoned>;
  /** Judges a call, once in a run unless it is suspended; a suspended call is kept in `held`. `INPUT_INVALID` if it was judged already. */
  judge(call: ToolCall, tools: readonly Tool[], options?: LoopJudgeOptions): Promise<LoopCall>;
  /** postCall, once, whatever is given later. Calls that are open are closed. Without `ending`, it is made of what has happened. Gives nothing for a run that never began. */
  end(ending?: LoopEnding): Promise<EventOf<'postCall'> | undefined>;
}

/** How a call is judged. */
export interface LoopJudgeOptions {
  readonly answer?: HostAnswer;
  /** Why the host can ask nobody: a call that an approver suspends is refused. */
  readonly unasked?: string;
  /** Ends this call and no other. */
  readonly signal?: AbortSignal;
  /** Hears what the tool reports, as it may be shown. */
  readonly onChunk?: (chunk: EventOf<'actingChunk'>) => void;
}

/** A judged call of a loop. `execute` rejects where the run is to stop. */
export interface LoopCall extends JudgedCall {
  /** What waits for an answer, where it is suspended: already kept, if the run keeps calls. Can be signed, and carried by the host. */
  readonly held?: HeldCall;
}

/** How a loop has ended, as far as its host knows. */
export type LoopEnding = Partial<Pick<CallEnding, 'outcome' | 'message' | 'usage'>> & {
  /** What the loop has failed of. */
  readonly error?: unknown;
};
