import type { Observable } from 'rxjs';
import type { Ask } from '../../events/decisions/ask.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { MediaReference, ToolResult } from '../../events/parts/tool-result.ts';
import type { Usage } from '../../events/parts/usage.ts';
import type { PostCall } from '../../events/post-call.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Model, ModelRequest } from '../define/model.ts';
import type { Tool } from '../define/tool.ts';
import type { Lifetime } from '../flow/lifetime.ts';

/** Output for the user of the host, in addition to the result that the model receives. */
export interface Delivery {
  readonly run: RunInfo;
  readonly toolCall: ToolCall;
  readonly text?: string;
  readonly media?: readonly MediaReference[];
}

/** The answer to a suspended call. It counts for its approver only if the frozen call equals `judged`. */
export interface CallAnswer {
  readonly approved: boolean;
  readonly reason?: string;
  /** The approver that asked. */
  readonly by: string;
  readonly judged: ToolCall;
}

/** The approvers that asked about a call that is judged again. Without an answer from a missing one, the call stays pending. */
export interface PendingApprovers {
  readonly by: readonly string[];
  /** The prompts of those without an answer. */
  readonly asks?: readonly Ask[];
}

/** A sub-agent's run that suspended the call that started it. */
export interface SuspendedChild {
  readonly snapshot: JsonObject;
  /** The number of runs of the same agent that the call had started before. */
  readonly order: number;
}

/** A sub-agent's run that a suspended call resumes. Without `order`, the first one of that agent. */
export interface ChildResume {
  readonly snapshot: JsonObject;
  readonly order?: number;
  readonly answers: JsonObject;
}

/** The identity and the resources of a run. */
export interface RunOptions {
  readonly agent: string;
  /** Default: a new session. */
  readonly sessionId?: string;
  readonly userId?: string;
  readonly metadata?: JsonObject;
  /** The model of `context.ask` until `reason` receives a model; then that one. */
  readonly model?: Model;
  /** The transcript that hooks read as `context.transcript`. */
  readonly transcript?: () => readonly Message[];
  /** Receives output for the user. May return a promise or an Observable. A failure makes the tool's result an error. */
  readonly deliver?: (delivery: Delivery) => unknown;
  /** Returns the media of `media://id` at delivery. Default: `deliver` receives the references unchanged. */
  readonly mediaStore?: MediaStore;
  /** Approvers do not ask anyone, and tools are not run. */
  readonly dryRun?: boolean;
  /** The state from a snapshot. */
  readonly state?: JsonObject;
  readonly parent?: { readonly run: RunInfo; readonly lifetime: Lifetime };
  readonly resumedFrom?: string;
  /** The model steps of the run that this one resumes. */
  readonly iteration?: number;
  /** The consecutive retries of that run. */
  readonly retries?: number;
}

/** A model request. All fields but the messages are optional. */
export type ReasoningInput = Partial<Omit<ModelRequest, 'messages'>> & {
  readonly messages: readonly Message[];
  readonly purpose?: 'step' | 'summary';
};

/** Options of a call that is not new. */
export interface ActingOptions {
  /** Ends the call before the run ends, for example with the other calls of its batch. */
  readonly lifetime?: Lifetime;
  /** The reason not to start the call. */
  readonly skip?: string;
  /** The result of a call that the host ran itself. Only postActing follows, with `outcome` (default: by the result). */
  readonly result?: ToolResult;
  readonly outcome?: 'cancelled';
  readonly answers?: readonly CallAnswer[];
  /** Set for a call that was suspended before. */
  readonly pending?: PendingApprovers;
  readonly child?: ChildResume;
  /** Awaited before the judged tool runs, for example until other calls have ended. */
  readonly turn?: (tool: Tool) => Observable<unknown> | undefined;
}

/** The end of a run. */
export type CallEnding = Pick<PostCall, 'outcome' | 'message' | 'reason' | 'usage' | 'snapshot'>;

/** A run on a pipeline: the phases of every loop. All are cold. Unsubscribing from one cancels it. */
export interface Run {
  readonly info: RunInfo;
  readonly lifetime: Lifetime;
  /** Begins the run with the input of this call: preCall. */
  begin(messages: readonly Message[]): Observable<SettledEvent>;
  /** Sends a model request: preReasoning, chunks, postReasoning. If it fails, the last event is an error event. */
  reason(request: ReasoningInput, model: Model): Observable<SettledEvent>;
  /** Runs one tool: preActing, chunks, postActing. Finds it among `tools` and the tools of hooks, by the name after all handlers. */
  act(toolCall: ToolCall, tools: readonly Tool[], options?: ActingOptions): Observable<SettledEvent>;
  /** Reports a failure outside the phases as an error event, from which hooks may recover. */
  fail(thrown: unknown): Observable<SettledEvent>;
  /** Ends the run: postCall. `finalize` receives the event before it settles, to store it. If `finalize` fails, the run fails. */
  end(ending: CallEnding, finalize?: (post: PostCall) => Observable<unknown> | undefined): Observable<SettledEvent>;
  /** Returns the sub-agent's run that suspended the call with this ID, if any. */
  suspendedChild(toolCallId: string): SuspendedChild | undefined;
  /** The names of the active approvers, for a snapshot. */
  readonly approvers: readonly string[];
  /** The state of the run, for a snapshot. */
  state(): JsonObject;
  /** The number of model steps. */
  readonly iteration: number;
  /** Consecutive retries. */
  readonly retries: number;
  /** The usage of `context.ask` in hooks so far. `end` adds it to its usage. */
  readonly askedUsage: Usage | undefined;
  /** The failure that ended the run, if any. */
  readonly fatal: unknown;
  /** The answer of a hook to a failure outside the model steps. */
  readonly recovered: Message | undefined;
  /** The text that was emitted by a model step that did not complete. */
  unfinished(): Message | undefined;
  cancel(reason?: string): void;
}

/** Media of a store: the data (bytes, or a base64 string), or an `https:` or `data:` URL. */
export type StoredMedia =
  | { readonly mediaType: string; readonly data: Uint8Array | string }
  | { readonly url: string; readonly mediaType?: string };

/** The port to the media of `media://id`. Throwing, or failing later, means that there are none. */
export interface MediaStore {
  resolve(id: string): StoredMedia | Promise<StoredMedia> | Observable<StoredMedia>;
}
