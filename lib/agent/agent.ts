import type { Observable, ObservableInput } from 'rxjs';
import type { SettledEvent } from '../events/hook-event.ts';
import type { Message, MessageInput } from '../events/parts/message.ts';
import type { ModelOptions } from '../events/parts/model-options.ts';
import type { PostCall } from '../events/post-call.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { Pipeline } from '../pipeline/create-pipeline.ts';
import type { Hook } from '../pipeline/define/hook.ts';
import type { ChildAgent } from '../pipeline/define/hook-context.ts';
import type { Model } from '../pipeline/define/model.ts';
import type { Tool } from '../pipeline/define/tool.ts';
import type { Delivery, MediaStore } from '../pipeline/run/run.ts';
import type { TranscriptStore } from '../store/transcripts/transcript-store.ts';
import type { ControlOptions } from './control.ts';
import type { JournalItem } from './recover/read-journal.ts';
import type { RunWatcher } from './run-watcher.ts';
import type { Answers, Snapshot } from './suspend/snapshot.ts';

/** Options of an agent. `name` and `model` are required. */
export interface AgentOptions {
  /** Name of the agent in events and in `match.agents`. @example name: 'support' */
  readonly name: string;
  /** Model of the agent. @example model: aiSdkModel(openai('gpt-5')) */
  readonly model: Model;
  /** System message of every model request, not part of the transcript. @example instructions: 'Answer briefly.' */
  readonly instructions?: string;
  /** Tools that the model can call. @example tools: workspaceTools({ root: '.' }) */
  readonly tools?: readonly Tool[];
  /** Pipeline of hooks (default: a pipeline without hooks). @example pipeline: createPipeline([guard]) */
  readonly pipeline?: Pipeline;
  /** Store of the conversations (default: in memory, for the lifetime of the agent). @example transcript: fileTranscript('sessions') */
  readonly transcript?: TranscriptStore;
  /** Maximum number of model steps of a run (default: 10). @example maxIterations: 20 */
  readonly maxIterations?: number;
  /** Tool calls of a message that run concurrently (default: 4). @example toolConcurrency: 1 */
  readonly toolConcurrency?: number;
  /**
   * Calls of a message that run in parallel (default: `reads`). `reads`: calls of read-only tools, and of tools with `parallel: true`. All
   * other calls run in order. `all`: all calls, up to `toolConcurrency`.
   *
   * @example parallel: 'all'
   */
  readonly parallel?: 'reads' | 'all';
  /** Options of the model request, which hooks can change. @example modelOptions: { temperature: 0 } */
  readonly modelOptions?: ModelOptions;
  /** Receives the output of tools for the user (`forUser`, handled media). @example deliver: ({ text }) => show(text) */
  readonly deliver?: (delivery: Delivery) => unknown;
  /** Resolves `media://id` for `deliver` (default: `deliver` receives the references). @example mediaStore: store */
  readonly mediaStore?: MediaStore;
  /** Shows the runs of the agent, for example on the page of `createRuns`. @example runs: createRuns({ store }) */
  readonly runs?: RunWatcher;
}

/** Options of a run. */
export interface AgentRunOptions extends ControlOptions {
  /** Session to start or continue (default: a new session). @example sessionId: 'chat-1' */
  readonly sessionId?: string;
  /** User of the run. @example userId: 'ann' */
  readonly userId?: string;
  /** JSON data for hooks, as `event.run.metadata`. @example metadata: { tenant: 'acme' } */
  readonly metadata?: JsonObject;
  /** Maximum number of model steps, instead of the one of the agent. @example maxIterations: 5 */
  readonly maxIterations?: number;
  /** Additional hooks of this run. A duplicate name of a hook or tool throws `HOOK_DUPLICATE`. @example hooks: [audit] */
  readonly hooks?: readonly Hook[];
  /** Transcript store of this run, without its sub-agents. @example transcript: memoryTranscript() */
  readonly transcript?: TranscriptStore;
  /**
   * Repeats the last turn of the session: removes the messages after the last prompt of the user, then runs without new input. A session without a
   * prompt fails with `INPUT_INVALID` (default: false).
   *
   * @example regenerate: true
   */
  readonly regenerate?: boolean;
}

/** Options of `agent.recover`. */
export interface RecoverOptions extends Omit<AgentRunOptions, 'sessionId' | 'userId' | 'regenerate'> {
  /**
   * Whether the journal stores each event before its call runs. A call that it does not contain has then not begun, and runs now. Otherwise, each
   * call without a result may have begun (default: false).
   *
   * @example writeAhead: true
   */
  readonly writeAhead?: boolean;
}

/** Input of a run: a prompt as text, or messages. */
export type AgentInput = MessageInput | readonly MessageInput[];

/** A ReAct agent. */
export interface Agent extends ChildAgent {
  /** Hooks of the next run. */
  readonly pipeline: Pipeline;
  /** Tools of the agent, without those of hooks (`pipeline.tools`). */
  readonly tools: readonly Tool[];
  /** Cold: every subscription is a run. Ends with postCall and completes; unsubscribing cancels. */
  run(input: AgentInput, options?: AgentRunOptions): Observable<SettledEvent>;
  /** Runs and resolves with the postCall, whatever its outcome. */
  call(input: AgentInput, options?: AgentRunOptions): Promise<SettledEvent<PostCall>>;
  /** Resumes from a snapshot as a new run. Throws `SNAPSHOT_INVALID` or `ANSWER_INVALID` synchronously. */
  resume(
    snapshot: Snapshot | JsonObject,
    answers: Answers,
    options?: Omit<AgentRunOptions, 'sessionId' | 'userId' | 'regenerate'>,
  ): Observable<SettledEvent>;
  /**
   * Continues a run whose process ended, as a new run with `resumedFrom`. `journal` has the settled events of the run and its sub-agents, oldest
   * first. A call that had begun is closed as `cancelled`, unless its tool is `idempotent`. The Observable fails with `RECOVERY_INVALID` if the journal
   * is incomplete, or if the run has ended.
   */
  recover(journal: ObservableInput<JournalItem>, options?: RecoverOptions): Observable<SettledEvent>;
  /** Returns the stored messages of a session, oldest first. Rejects with `TRANSCRIPT_FAILED` if the store fails. */
  history(sessionId: string): Promise<readonly Message[]>;
  /** Adds a hook for later runs. The returned function removes it. */
  addHook(hook: Hook): () => void;
}
