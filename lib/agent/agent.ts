import type { Observable } from 'rxjs';
import type { SettledEvent } from '../events/hook-event.ts';
import type { MessageInput } from '../events/parts/message.ts';
import type { ModelOptions } from '../events/parts/model-options.ts';
import type { PostCall } from '../events/post-call.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { Pipeline } from '../pipeline/create-pipeline.ts';
import type { Hook } from '../pipeline/define/hook.ts';
import type { ChildAgent } from '../pipeline/define/hook-context.ts';
import type { Model } from '../pipeline/define/model.ts';
import type { Tool } from '../pipeline/define/tool.ts';
import type { Delivery, MediaStore } from '../pipeline/run/run.ts';
import type { ControlOptions } from './control.ts';
import type { Answers, Snapshot } from './suspend/snapshot.ts';
import type { TranscriptStore } from './transcript/transcript-store.ts';

/** What an agent is made of. */
export interface AgentOptions {
  readonly name: string;
  readonly model: Model;
  /** The system message of every request; not part of the transcript. An empty one is none. */
  readonly instructions?: string;
  readonly tools?: readonly Tool[];
  /** Default: a pipeline without hooks. */
  readonly pipeline?: Pipeline;
  /** Default: in memory, for as long as the agent lives. */
  readonly transcript?: TranscriptStore;
  /** Reasonings before the run is exhausted; default 10. */
  readonly maxIterations?: number;
  /** Tool calls of one message that may run at a time; default 4. */
  readonly toolConcurrency?: number;
  /**
   * Which calls of one message run side by side. `reads`, the default: those of tools that only read, or are defined with `parallel:
   * true`; any other waits for those before it and holds those after it. `all`: whatever `toolConcurrency` lets.
   */
  readonly parallel?: 'reads' | 'all';
  /** How the model is asked, unless a hook changes it. */
  readonly modelOptions?: ModelOptions;
  /** Takes what tools have for the user (`forUser`, handled media). */
  readonly deliver?: (delivery: Delivery) => unknown;
  /** Gives what stands behind `media://id` when it is delivered. Default: `deliver` gets the references as they are. */
  readonly mediaStore?: MediaStore;
}

/** Who a run is for, and what may come to it while it goes on. */
export interface AgentRunOptions extends ControlOptions {
  readonly sessionId?: string;
  readonly userId?: string;
  readonly metadata?: JsonObject;
  readonly maxIterations?: number;
  /** Hooks of this run alone, beside those of the pipeline. A name that is taken, of a hook or of a tool, throws `HOOK_DUPLICATE` at once. */
  readonly hooks?: readonly Hook[];
  /** Where the conversation of this run is kept instead, that of its sub-agents apart. */
  readonly transcript?: TranscriptStore;
}

/** What a run begins with: a prompt as text, or messages. */
export type AgentInput = MessageInput | readonly MessageInput[];

/** A ReAct agent. */
export interface Agent extends ChildAgent {
  /** The hooks that its next run gets. */
  readonly pipeline: Pipeline;
  /** Cold: every subscription is a run. Ends with postCall and completes; unsubscribing cancels. */
  run(input: AgentInput, options?: AgentRunOptions): Observable<SettledEvent>;
  /** Runs and resolves with the postCall, whatever its outcome. */
  call(input: AgentInput, options?: AgentRunOptions): Promise<SettledEvent<PostCall>>;
  /** Goes on from a snapshot as a new run. Throws `SNAPSHOT_INVALID` or `ANSWER_INVALID` at once. */
  resume(
    snapshot: Snapshot | JsonObject,
    answers: Answers,
    options?: Omit<AgentRunOptions, 'sessionId' | 'userId'>,
  ): Observable<SettledEvent>;
  /** Adds a hook for the next runs; the undo takes it away again. */
  addHook(hook: Hook): () => void;
}
